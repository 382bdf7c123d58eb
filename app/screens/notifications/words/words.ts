import { HANDOVER_WORDS } from "#app/catalogue/types/handover-word-rules.ts";
import { renewText } from "#app/accounts/trust/verified-rules.ts";
import { settingsPath } from "#app/accounts/profile/settings-path.ts";
import type { Gathered, Kind, KindData, NamedListing, PaidFor, ToldListing } from "#app/notifications/kinds.ts";
import { heldBecause } from "#app/catalogue/selling/held-rules.ts";
import { APPEAL_DAYS } from "#app/moderation/cases/case-rules.ts";
import { decisionWords, outcomeWords } from "#app/moderation/cases/decision-words.ts";
import { SUBJECT_WORDS } from "#app/moderation/reports/report-texts.ts";
import { shortOrderId } from "#app/orders/order-rules.ts";
import { FAILURE_TEXTS, refundDelayedText, refundInQuestionText } from "#app/payments/payment-texts.ts";
import { ALARMS } from "#app/admin/operations/alarm-rules.ts";
import { brand } from "#app/ui/page/brand.ts";
import { formatDate, formatDateTime, formatMonth } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import { dealMail, freedMail } from "./deal-words.ts";
import { meetingMail } from "./meeting-words.ts";
import { messagesMail } from "./messages-words.ts";
import { offerMail } from "./offer-words.ts";
import {
  changeMail,
  loginAddedMail,
  roleGivenMail,
  roleMail,
  SETTINGS,
  stepResetMail,
  twoStepMail,
} from "./security-words.ts";
import { reviewRepliedMail, reviewsPublishedMail, reviewWrittenMail } from "./review-words.ts";

type Freed = Pick<KindData["case_outcome"], "freed">;

/**
 * What somebody is told. An email has all of it; the notification centre and a push have the heading and the thing's
 * name.
 */
export interface Words {
  subject: string;
  /** Without an amount, a code or a number: it may stand on a locked screen. */
  heading: string;
  paragraphs: string[];
  action: { label: string; path: string };
  /** Small print below the button of an email. */
  notes?: string[];
}

export function wordsOf<K extends Kind>(kind: K, data: KindData[K]): Words {
  return WORDS[kind](data);
}

/** The name of what a notification is about; null where it has none. */
export function thingName(data: object): string | null {
  if ("productName" in data && typeof data.productName === "string") return data.productName;
  if ("listings" in data) return nameAll(data as Gathered<NamedListing>);
  if ("orderId" in data && typeof data.orderId === "string") return `Order ${shortOrderId(data.orderId)}`;
  return null;
}

/** "Kettle", "Kettle and 1 other listing". */
function andOthers(name: string, others: number): string {
  if (others === 0) return name;
  return `${name} and ${others === 1 ? "1 other listing" : `${others} other listings`}`;
}

const NOT_YOURS = "You don't know what this is about? Just ignore this email: nothing changes.";

/** The words of each kind. The mailer adds the tokens to the links of those that have one. */
const WORDS: { [K in Kind]: (data: KindData[K]) => Words } = {
  confirmation: () => ({
    subject: `Confirm your email for ${brand.name}`,
    heading: "Confirm your email",
    paragraphs: [
      `Welcome to ${brand.name}, your campus marketplace. Press the button to confirm your email address and start using your account.`,
    ],
    action: { label: "Confirm my email", path: "/auth/callback" },
    notes: ["The link works once and expires in 24 hours.", "Didn't sign up? Just ignore this email."],
  }),
  welcome: () => ({
    subject: `Welcome to ${brand.name}`,
    heading: "You're in",
    paragraphs: [
      "Your email is confirmed, so you can buy and sell on your campus.",
      "Looking for something? Search for books, gadgets and furniture from students near you, and pay safely by M-Pesa.",
      "Something to sell? Take a photo, set a price and post it. We send the money to your M-Pesa when the buyer has the item.",
    ],
    action: { label: "Start browsing", path: "/home" },
  }),
  email_change: () => ({
    subject: `Confirm your new email for ${brand.name}`,
    heading: "Confirm your new email",
    paragraphs: [
      `Somebody who is logged in to ${brand.name} asked to use this address. If it was you, press the button. From then on you log in with this address.`,
    ],
    action: { label: "Use This Address", path: "/settings/email" },
    notes: ["The link works once, for the account that asked, and expires in 24 hours.", NOT_YOURS],
  }),
  email_changing: (data) =>
    changeMail(data, {
      subject: `Your ${brand.name} email is being changed`,
      heading: "Your email is being changed",
      happened: [
        `Your account asked to log in with ${data.newEmail} instead of this address. It happens when somebody opens the link that we sent there.`,
      ],
    }),
  email_changed: (data) =>
    changeMail(data, {
      subject: `Your ${brand.name} email was changed`,
      heading: "Your email was changed",
      happened: [`You now log in with ${data.newEmail}. Your other devices are logged out.`],
      otherwise: SETTINGS,
    }),
  password_changed: (data) =>
    changeMail(data, {
      subject: `Your ${brand.name} password was changed`,
      heading: "Your password was changed",
      happened: ["The password of your account was changed, and your other devices are logged out."],
    }),
  google_linked: ({ issuer = "Google", ...data }) =>
    changeMail(data, {
      subject: `You can now log in to ${brand.name} with ${issuer}`,
      heading: `${issuer} login added`,
      happened: [
        `Somebody logged in with the ${issuer} account of this email address. From now on it opens your account, beside your other logins.`,
        `If it wasn't you, secure your ${issuer} account first.`,
      ],
    }),
  two_step_changed: twoStepMail,
  admin_role_changed: roleMail,
  admin_role_given: roleGivenMail,
  login_added: loginAddedMail,
  admin_step_reset: stepResetMail,
  password_reset: () => ({
    subject: `Set a new ${brand.name} password`,
    heading: "Set a new password",
    paragraphs: [
      "Someone asked to reset the password of your account. Press the button to choose a new one. You'll be logged out on all other devices.",
    ],
    action: { label: "Choose a new password", path: "/auth/reset" },
    notes: [
      "The link works once and expires in one hour.",
      "Wasn't you? Ignore this email, and your password stays the same.",
    ],
  }),
  payment_received: (data) => {
    if (data.amount === 0) return freeOrderMail(data);
    const receipt = data.receipt ? ` M-Pesa receipt: ${data.receipt}.` : "";
    const fee = data.fee ? `, with a service fee of ${formatKes(data.fee)}` : "";
    return {
      subject: `Paid: ${formatKes(data.amount)} for order ${shortOrderId(data.orderId)}`,
      heading: "Payment received",
      paragraphs: [
        `We received ${formatKes(data.amount)} for your order ${shortOrderId(data.orderId)}${fee}.${receipt}`,
        ...codeWords(data, "The seller is then paid at once."),
      ],
      action: { label: "Track your order", path: `/orders/${data.orderId}` },
    };
  },
  payment_failed: (data) => ({
    subject: `Not paid yet: order ${shortOrderId(data.orderId)}`,
    heading: "Your payment didn't go through",
    paragraphs: [
      `We sent an M-Pesa prompt for ${formatKes(data.amount)} for your order ${shortOrderId(data.orderId)}. ${"failure" in data ? FAILURE_TEXTS[data.failure] : data.reason}`,
      "We'll keep your order for 24 hours. As far as we know, you haven't been charged.",
    ],
    action: { label: "Try Payment Again", path: `/checkout/${data.orderId}` },
  }),
  payment_held: (data) => ({
    subject: `We are checking your payment: ${paidFor(data)}`,
    heading: "We are checking your payment",
    paragraphs: [
      `We asked M-Pesa for ${formatKes(data.amount)} for your ${paidFor(data)}, and couldn't match what it reported to your payment.`,
      "Please don't pay again. Our team is checking the payment and will contact you.",
    ],
    action:
      "orderId" in data
        ? { label: "View your order", path: `/orders/${data.orderId}` }
        : { label: "View your payment", path: `/subscription?plan=${data.planId}` },
  }),
  payment_dismissed: (data) => ({
    subject: `You can pay again: ${paidFor(data)}`,
    heading: "You can pay again",
    paragraphs: [
      `We checked your payment of ${formatKes(data.amount)} for your ${paidFor(data)}. It didn't go through, or it was sent back to you.`,
      "orderId" in data ? "You can pay again now. We'll keep your order for 24 hours." : "You can pay again now.",
    ],
    action: {
      label: "Try Payment Again",
      path: "orderId" in data ? `/checkout/${data.orderId}` : `/subscription?plan=${data.planId}`,
    },
  }),
  new_sale: (data) => ({
    subject: `Sold: ${data.productName}`,
    heading: "You made a sale",
    paragraphs: [
      `A buyer paid ${formatKes(data.subtotal)} for ${data.quantity} × ${data.productName}. We hold the money for you.${feeText(data)}`,
      data.hasMeeting
        ? "The buyer has suggested where and when to meet. Accept it on the order page, or suggest another place or time."
        : `Message the buyer to arrange ${HANDOVER_WORDS[data.handover ?? "thing"].name}.`,
      `When ${HANDOVER_WORDS[data.handover ?? "thing"].has("the buyer", "the item")}, ask for the handover code and enter it on the order page: we then pay you at once.`,
      ...(data.taken ? [TAKEN] : []),
    ],
    action: { label: "Open the order", path: `/seller/orders/${data.orderItemId}` },
  }),
  deal_step: dealMail,
  deal_warning: dealMail,
  deal_outcome: dealMail,
  offer_step: offerMail,
  message: (data) => messagesMail({ ...data, count: 1, excerpt: null }),
  new_messages: messagesMail,
  review_written: reviewWrittenMail,
  reviews_published: reviewsPublishedMail,
  review_replied: reviewRepliedMail,
  meeting_step: meetingMail,
  payout_phone_changed: (data) =>
    changeMail(data, {
      subject: "Your M-Pesa number was changed",
      heading: "Your M-Pesa number was changed",
      happened: [
        numberChange(data),
        ...(data.is === null
          ? []
          : [`To keep your money safe, we send no payouts until ${formatDateTime(data.heldUntil)}.`]),
      ],
      otherwise: SETTINGS,
    }),
  payout_sent: (data) => ({
    subject: `${formatKes(data.amount)} sent to your M-Pesa`,
    heading: "You've been paid",
    paragraphs: [`We sent ${formatKes(data.amount)} to your M-Pesa${forItems(data)}. M-Pesa receipt: ${data.receipt}.`],
    action: payoutAction(data),
  }),
  payout_parked: (data) => ({
    subject: `Your payout of ${formatKes(data.amount)} is waiting`,
    heading: "Your payout is waiting",
    paragraphs: [
      `We couldn't send ${formatKes(data.amount)}${forItems(data)} to your M-Pesa yet: ${data.reason}`,
      "Your money is safe. We'll try again or contact you.",
    ],
    action: payoutAction(data),
  }),
  refund_due: (data) => ({
    ...refundWords(data),
    heading: "We're sending your money back",
    action: { label: "Open the order", path: `/orders/${data.orderId}` },
  }),
  plan_active: (data) => {
    const receipt = data.receipt ? ` M-Pesa receipt: ${data.receipt}.` : "";
    return {
      subject: `Your ${data.plan} is active`,
      heading: "Your plan is active",
      paragraphs: [
        `We received ${formatKes(data.amount)} for the ${data.plan}.${receipt}`,
        `It runs until ${formatDateTime(data.endsAt)}. It doesn't renew automatically, so you won't be charged again.`,
      ],
      action: { label: "Open your shop", path: "/myshop" },
    };
  },
  plan_ending: (data) => ({
    subject: `Your ${data.plan} ends soon`,
    heading: "Your plan ends soon",
    paragraphs: [
      `Your ${data.plan} runs until ${formatDateTime(data.endsAt)}. If you renew before then, the new period starts when this one ends.`,
    ],
    action: { label: "Renew", path: `/subscription?plan=${data.planId}` },
    notes: ["If you do nothing, it ends then and you pay nothing more."],
  }),
  plan_ended: (data) => ({
    subject: `Your ${data.plan} has ended`,
    heading: "Your plan has ended",
    paragraphs: [`Your ${data.plan} has ended. Your shop and your listings stay as they are.`],
    action: { label: "Renew", path: `/subscription?plan=${data.planId}` },
  }),
  plan_refund_due: (data) => ({
    subject:
      data.reason === "account_closed" ? `Refund coming for the ${data.plan}` : `You paid for the ${data.plan} twice`,
    heading: "We're sending your money back",
    paragraphs: [
      data.reason === "account_closed"
        ? `Your payment of ${formatKes(data.amount)} reached us after your account was closed. We're sending it back to you.`
        : `We received a second payment of ${formatKes(data.amount)} for a plan you had already paid for. We're sending it back to you.`,
    ],
    action: { label: "Open your plans", path: "/subscription" },
  }),
  refund_parked: (data) => ({
    subject: `Your refund of ${formatKes(data.amount)} is waiting`,
    heading: "Your refund is waiting",
    paragraphs: [refundDelayedText(data.amount), "You don't have to do anything. We'll email you when it's sent."],
    action: refundAction(data),
  }),
  refund_sent: (data) =>
    data.isInQuestion
      ? {
          subject: `We're checking your refund of ${formatKes(data.amount)}`,
          heading: "We're checking your refund",
          paragraphs: [
            refundInQuestionText(data.amount),
            "If it isn't among your M-Pesa messages, write to us. Your money is safe.",
          ],
          action: refundAction(data),
        }
      : {
          subject: `We sent ${formatKes(data.amount)} back to you`,
          heading: "We've sent your refund",
          paragraphs: [
            `We sent ${formatKes(data.amount)} back to the M-Pesa number it came from. ${data.receipt ? `M-Pesa receipt: ${data.receipt}.` : "You'll find the receipt in your M-Pesa messages."}`,
          ],
          action: refundAction(data),
        },
  student_ending: ({ until, byAddress }) => ({
    subject: `You're a verified student until ${formatMonth(until - 1)}`,
    heading: "Are you still a student?",
    paragraphs: [
      `Your mark as a verified student ends on ${formatDate(until - 1)}. ${renewText({ byAddress, isEnded: false })}`,
      "Without it your account goes on: your listings, your deals and your money stay as they are.",
    ],
    action: { label: "Stay verified", path: settingsPath("documents") },
  }),
  student_check: () => ({
    subject: "Are you still at your university?",
    heading: "Are you still at your university?",
    paragraphs: ["Press the button to show that this address is still yours. You then stay a verified student."],
    action: { label: "It's still mine", path: "/auth/callback" },
    notes: ["The link works once and expires in 24 hours.", "Didn't ask for it? Just ignore this email."],
  }),
  verification_decided: (data) =>
    data.approved
      ? {
          subject: "You're verified",
          heading: "You're verified",
          paragraphs: ["We've approved your document. Others now see a verified badge next to your name."],
          action: { label: "View your profile", path: "/profile" },
        }
      : {
          subject: "We couldn't accept your document",
          heading: "We couldn't accept your document",
          paragraphs: [
            `Reason: ${data.reason}`,
            "You can upload another document in your settings, and we'll review it.",
          ],
          action: { label: "Upload another document", path: settingsPath("documents") },
        },
  team_question: (data) => ({
    subject: `Question from ${data.email}`,
    heading: "Somebody has a question",
    paragraphs: [
      `From ${data.email}, ${data.userId === null ? "a visitor" : `account ${data.userId}`}.`,
      ...(data.order === null ? [] : [`About order ${data.order}.`]),
      ...data.text.split(/\n+/),
    ],
    action: { label: "Open People", path: "/admin/people" },
    notes: [`Answer to ${data.email}. Never ask for a password, an M-Pesa PIN or a handover code.`],
  }),
  issue_closed: (data) => ({
    subject: "We looked into your report",
    heading: "We looked into your report",
    paragraphs: ["Thank you for telling us. This is the outcome:", data.outcome, ...freedWords(data)],
    action: freedAction(data),
  }),
  case_outcome: (data) => ({
    subject: "We looked into your report",
    heading: "We looked into your report",
    paragraphs: ["Thank you for telling us.", outcomeWords(data.subject, data.decision), ...freedWords(data)],
    action: freedAction(data),
  }),
  report_undone: (data) => ({
    subject: "We changed our decision about your report",
    heading: "We changed our decision",
    paragraphs: [
      `You reported ${data.subject === "person" ? "a person" : `a ${SUBJECT_WORDS[data.subject]}`}, and we acted on it. We were asked to look again, and found that it didn't break our rules. So we've undone what we did.`,
      "Thank you for telling us all the same. If something new happens, please report it.",
    ],
    action: { label: `Go to ${brand.name}`, path: "/home" },
  }),
  case_decided: (data) => ({
    subject: `About your ${SUBJECT_WORDS[data.subject]} on ${brand.name}`,
    heading: `About your ${SUBJECT_WORDS[data.subject]}`,
    paragraphs: [
      decisionWords(data.subject, data.decision),
      ...(data.subject === "person" || data.title === "" ? [] : [`It's about: ${data.title}`]),
      `Reason: ${data.statement}`,
      `Do you think we're wrong? You can ask us to look again within ${APPEAL_DAYS} days.`,
    ],
    action: { label: "Read or appeal", path: `/appeals/${data.appealToken}` },
    notes: ["The link is only for you. It works without a login."],
  }),
  appeal_answered: (data) => ({
    subject: data.granted ? "We changed our decision" : "We looked at our decision again",
    heading: data.granted ? "We changed our decision" : "Our decision stays",
    paragraphs: [
      data.granted
        ? "You asked us to look again, and you were right. We've undone our decision."
        : "You asked us to look again. We did, and our decision stays.",
      data.answer,
    ],
    action: { label: "Read the decision", path: `/appeals/${data.appealToken}` },
  }),
  decision_changed: (data) => ({
    subject: "We changed our decision",
    heading: "We changed our decision",
    paragraphs:
      data.decision === null
        ? ["We looked at it again, and have undone our decision."]
        : [
            "We looked at it again: your account is no longer suspended for this.",
            decisionWords(data.subject, data.decision),
          ],
    action: { label: "Read the decision", path: `/appeals/${data.appealToken}` },
  }),
  held_listing_published: (data) => {
    const { count, listings } = data;
    const [first] = listings;
    return {
      subject: `Published: ${nameAll(data)}`,
      heading: count === 1 ? "Your listing is published" : `${howMany(count)} of your listings are published`,
      paragraphs: [
        count === 1
          ? `We looked at ${nameAll(data)}, and everything is fine. Buyers can see it now.`
          : `We looked at ${nameAll(data)}, and everything is fine. Buyers can see them now.`,
      ],
      action:
        count === 1 && first
          ? { label: "View your listing", path: `/product/${first.productId}` }
          : { label: "Open My Shop", path: "/myshop" },
    };
  },
  test_email: () => ({
    subject: `Test: ${brand.name} can send you email`,
    heading: "This is a test",
    paragraphs: ["Somebody ran npm run doctor. Alarms come to this address."],
    action: { label: "Open Operations", path: "/admin/operations" },
  }),
  alarm: ({ alarm, figure, since, over }) => {
    const { title, steps, ...words } = ALARMS[alarm];
    const began = `It began at ${formatDateTime(since)}.`;
    const action = { label: "Open Operations", path: "/admin/operations" };
    if (over)
      return {
        subject: `Over: ${title}`,
        heading: `Over: ${title}`,
        paragraphs: [`${title}: this is over. ${began}`, words.over ?? "You don't need to do anything."],
        action,
      };
    return {
      subject: `Alarm: ${title}`,
      heading: title,
      paragraphs: [`${words.figure(figure)} ${began}`, ...steps],
      action,
      notes: ["We write once when it begins and once when it is over."],
    };
  },
  proposals_waiting: (data) => ({
    subject: `${data.count === 1 ? "1 decision waits" : `${data.count} decisions wait`} for a second admin`,
    heading: "A second admin is needed",
    paragraphs: [
      `${data.count === 1 ? "1 decision waits" : `${data.count} decisions wait`} for a second admin, the oldest since ${formatDateTime(data.since)}. Buyers and sellers wait with them.`,
      "Please confirm or decline. Whoever proposed something can't confirm it.",
    ],
    action: { label: "Open the proposals", path: "/admin/proposals" },
  }),
  fees_waiting: ({ count, since }) => ({
    subject: `${count === 1 ? "1 suggestion" : `${count} suggestions`} about the service fee`,
    heading: "A second owner is needed",
    paragraphs: [
      `Another owner suggested something about the service fee. ${count === 1 ? "It has waited" : `${count} suggestions have waited`} for you since ${formatDateTime(since)}.`,
      "Please confirm or decline. Until then nothing changes.",
    ],
    action: { label: "Open Income", path: "/admin/income" },
  }),
  stock_free: (data) => {
    const { count } = data;
    const [first] = data.listings;
    return {
      subject: `Available again: ${nameAll(data)}`,
      heading: count === 1 ? "It's available again" : `${howMany(count)} things you want are available again`,
      paragraphs: [
        count === 1 && first
          ? `${first.productName} is available again, for ${formatKes(first.price)}. You're on its waiting list, or it's on your wishlist.`
          : "You're on their waiting lists, or they're on your wishlist:",
        ...(count === 1 ? [] : listed(data, priceOf)),
        "We've told everybody who was waiting. The first who pays gets it.",
      ],
      action: seeAll(data, { label: "See your wishlist", path: "/wishlist" }),
      notes: ["You're off the waiting list now. If it's gone when you get there, you can join again."],
    };
  },
  search_found: (data) => {
    const { count, listings } = data;
    const [first] = listings;
    const search = listings.every((one) => one.search === first?.search) ? first?.search : undefined;
    const notes = ["You choose how often we tell you under Saved Searches."];
    const all = { label: "See my saved searches", path: "/saved-searches" };
    if (count > 1)
      return {
        subject: `${howMany(count)} new listings for ${search ?? "your saved searches"}`,
        heading: `${howMany(count)} new listings in your saved searches`,
        paragraphs: listed(data, priceOf),
        action: all,
        notes,
      };
    const isNew = (first?.priceBefore ?? null) === null;
    return {
      subject: isNew ? `New: ${nameAll(data)}` : `Cheaper now: ${nameAll(data)}`,
      heading: isNew ? "Somebody listed what you look for" : "What you look for costs less now",
      paragraphs: first
        ? [`${first.productName} fits your saved search ${first.search}. It costs ${priceOf(first)}.`]
        : [],
      action: seeAll(data, all),
      notes,
    };
  },
  searches_daily: (data) => ({
    subject: `New for you: ${nameAll(data)}`,
    heading: "New in your saved searches",
    paragraphs: [`Your saved searches have found ${nameAll(data)}.`],
    action: { label: "See my saved searches", path: "/saved-searches" },
    notes: ["You choose how often we tell you under Saved Searches."],
  }),
  wish_cheaper: (data) => ({
    subject: `Cheaper now: ${nameAll(data)}`,
    heading:
      data.count === 1
        ? "Something on your wishlist costs less now"
        : `${howMany(data.count)} things on your wishlist cost less now`,
    paragraphs: listed(data, priceOf, "costs "),
    action: seeAll(data, { label: "See your wishlist", path: "/wishlist" }),
  }),
  shops_daily: (data) => ({
    subject: `New in shops you follow: ${nameAll(data)}`,
    heading: "New in shops you follow",
    paragraphs: [`Shops that you follow have listed ${nameAll(data)}.`],
    action: { label: "See what they list", path: "/following" },
  }),
  saved: (data) => ({
    subject: savedBy(data),
    heading: savedBy(data),
    paragraphs: ["They can find it again on their wishlist. A clear price and good photos help them decide."],
    action: { label: "See your listing", path: `/product/${data.productId}` },
  }),
  friend_came: ({ role, endsAt }) => ({
    subject: "A week of Featured for you",
    heading: "A week of Featured for you",
    paragraphs: [
      role === "invited"
        ? "Your first deal ended with the code, so you and the friend who invited you each have a week."
        : "A friend whom you invited had a first deal, so each of you has a week.",
      endsAt === null
        ? "Yours begins when you post your next listing."
        : `Your shop is featured until ${formatDateTime(endsAt)}.`,
    ],
    action: { label: "See more", path: "/invite" },
  }),
  listing_held: (data) => ({
    subject: `We're taking a look at ${data.productName}`,
    heading: "We're taking a look at your listing",
    paragraphs: [
      `Our team looks at ${data.productName} before it is published, ${heldBecause(data.heldFor)}. This usually takes less than a day.`,
      "You don't need to do anything. We'll email you as soon as we've decided.",
    ],
    action: { label: "See your listing", path: `/product/${data.productId}` },
  }),
  still_available: ({ productName, others }) => ({
    subject: `Still available? ${andOthers(productName, others)}`,
    heading: "Still available?",
    paragraphs: [
      `Nothing has changed for 30 days about ${andOthers(productName, others)}. Is it still there? One tap answers.`,
      "What nobody answers for leaves the lists after another 30 days. You can bring it back at any time.",
    ],
    action: { label: "Answer", path: "/myshop/still-available" },
  }),
  listing_left: ({ productName, others }) => ({
    subject: `Not shown any more: ${andOthers(productName, others)}`,
    heading: "Buyers can't find your listing",
    paragraphs: [
      `You haven't told us whether you still have ${andOthers(productName, others)}, so buyers find it in no list any more.`,
      "Still there? One tap brings it back.",
    ],
    action: { label: "Bring it back", path: "/myshop/still-available" },
  }),
  digest: ({ productId, productName, others }) => ({
    subject: `New on your campus: ${andOthers(productName, others.length)}`,
    heading: "New on your campus this week",
    paragraphs: [
      "Chosen for what you saved and bought, and the shops you follow:",
      productName,
      ...others.map(({ name }) => name),
    ],
    action: {
      label: "See what's new",
      path: `/this-week?${new URLSearchParams([productId, ...others.map(({ id }) => id)].map((id) => ["id", id]))}`,
    },
  }),
  import_held: () => ({
    subject: "We're taking a look at some of your listings",
    heading: "We're taking a look at some of your listings",
    paragraphs: [
      "Our team looks at some of the listings that you imported before they are published. My Shop shows which ones, and why. This usually takes less than a day.",
      "You don't need to do anything. We'll email you as soon as we've decided.",
    ],
    action: { label: "Open My Shop", path: "/myshop" },
  }),
};

/** For the seller whose last piece was sold. */
const TAKEN =
  "That was the last one, so we've taken the listing off sale. If you have more, put it back on sale on the order page.";

/** At most so many are counted. */
const SAVED_COUNTED = 100;

function savedBy({ count, productName }: KindData["saved"]): string {
  const people =
    count === 1 ? "1 person" : count < SAVED_COUNTED ? `${count} people` : `More than ${SAVED_COUNTED - 1} people`;
  return `${people} saved ${productName}`;
}

/** Why a payment for an order goes back. */
function refundWords({ orderId, amount, reason }: KindData["refund_due"]): Pick<Words, "subject" | "paragraphs"> {
  const order = shortOrderId(orderId);
  switch (reason) {
    case "sold_to_someone_else":
      return {
        subject: `Sold to another buyer: order ${order}`,
        paragraphs: [
          `Another buyer paid for the item just before your payment of ${formatKes(amount)} reached us. We're sending your money back.`,
        ],
      };
    case "account_closed":
    case "listing_removed": {
      const what =
        reason === "account_closed" ? "an account in this order was closed" : "a listing in this order was removed";
      return {
        subject: `Refund coming for order ${order}`,
        paragraphs: [`Your payment of ${formatKes(amount)} reached us after ${what}. We're sending it back to you.`],
      };
    }
    default:
      return {
        subject: `You paid for order ${order} twice`,
        paragraphs: [
          `We received a second payment of ${formatKes(amount)} for an order you had already paid for. We're sending it back to you.`,
        ],
      };
  }
}

/** "order 1A2B3C4D", "Weekly Featured Listing". */
function paidFor(data: PaidFor): string {
  return "orderId" in data ? `order ${shortOrderId(data.orderId)}` : data.plan;
}

/** Which items a payout is for, if there are several. */
function forItems({ items }: { items: number }): string {
  return items > 1 ? ` for ${items} items` : "";
}

/** What happens to the money that a report stopped, and what its buyer can still do. */
/** What follows for the buyer. `then`: once the code is entered. An order of several kinds says when of each. */
function codeWords({ items = [] }: KindData["payment_received"], then: string): string[] {
  const kinds = new Set(items.map(({ handover }) => handover));
  const [only = "thing"] = kinds;
  const { name, fine } = HANDOVER_WORDS[only];
  if (kinds.size < 2)
    return [
      `We've told the seller, who will contact you to arrange ${name}.`,
      `Your order page shows a handover code. Give it to the seller only when ${fine("the item")}. ${then}`,
    ];
  return [
    "We've told the sellers, who will contact you.",
    "Your order page shows a handover code for each item. Give it to its seller only at the right time:",
    ...items.map((item) => `${item.name}: when ${HANDOVER_WORDS[item.handover].fine("it")}.`),
  ];
}

/** Nobody paid, and nobody is paid. */
function freeOrderMail(data: KindData["payment_received"]): Words {
  const { orderId } = data;
  return {
    subject: `Confirmed: order ${shortOrderId(orderId)}`,
    heading: "Order confirmed",
    paragraphs: [
      `Your order ${shortOrderId(orderId)} is confirmed. There's nothing to pay.`,
      ...codeWords(data, "The order is then completed."),
    ],
    action: { label: "Track your order", path: `/orders/${orderId}` },
  };
}

function freedWords({ freed = [] }: Freed): string[] {
  return freed.map(
    (item) =>
      `Your report no longer holds back your ${formatKes(item.price)} for ${item.productName}. ${freedMail(item)}`,
  );
}

function freedAction({ freed = [] }: Freed): Words["action"] {
  return freed[0]
    ? { label: "Open the order", path: `/orders/${freed[0].orderId}` }
    : { label: `Go to ${brand.name}`, path: "/home" };
}

function refundAction({ orderId }: { orderId: string | null }): Words["action"] {
  return orderId === null
    ? { label: "Open your plans", path: "/subscription" }
    : { label: "Open the order", path: `/orders/${orderId}` };
}

function payoutAction({ items, orderItemId }: { items: number; orderItemId: string }): Words["action"] {
  return items > 1
    ? { label: "Open My Money", path: "/myshop/money" }
    : { label: "Open the order", path: `/seller/orders/${orderItemId}` };
}

function numberChange({ was, is }: KindData["payout_phone_changed"]): string {
  if (is === null) return `Your M-Pesa number ending in ${was} was removed.`;
  if (was === null) return `We now send your payouts to the number ending in ${is}.`;
  return `We now send your payouts to the number ending in ${is}, not to the one ending in ${was}.`;
}

/** What the seller gets of it; nothing where that is all of it. */
function feeText({ subtotal, sellerFee = 0 }: KindData["new_sale"]): string {
  return sellerFee === 0
    ? ""
    : ` You get ${formatKes(subtotal - sellerFee)}, after a service fee of ${formatKes(sellerFee)}.`;
}

/** "Kettle and 2 more". */
function nameAll({ count, listings: [first] }: Gathered<NamedListing>): string {
  return count > 1 ? `${first?.productName} and ${howMany(count - 1)} more` : (first?.productName ?? "");
}

/** A number that may stand on a locked screen. */
function howMany(count: number): string {
  return count > 999 ? "999+" : String(count);
}

/** How many listings of one message are named. */
const NAMED = 5;

/** A line for each of the first listings, and one for how many more there are. */
function listed<L extends NamedListing>(
  { count, listings }: Gathered<L>,
  priceWords: (listing: L) => string,
  verb = "",
): string[] {
  const named = listings.slice(0, NAMED);
  const lines = named.map((one) =>
    verb === "" ? `${one.productName}: ${priceWords(one)}` : `${one.productName} ${verb}${priceWords(one)}.`,
  );
  return [...lines, ...(count > named.length ? [`And ${count - named.length} more.`] : [])];
}

/** "KES 1,200", "KES 900 now, and KES 1,200 before". */
function priceOf({ price, priceBefore }: ToldListing): string {
  return (priceBefore ?? null) === null
    ? formatKes(price)
    : `${formatKes(price)} now, and ${formatKes(priceBefore ?? 0)} before`;
}

/** The one listing, or the screen that has all of them. */
function seeAll({ count, listings: [first] }: Gathered, all: Words["action"]): Words["action"] {
  return count === 1 && first ? { label: "See the product", path: `/product/${first.productId}` } : all;
}
