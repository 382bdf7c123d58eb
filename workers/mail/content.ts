import type { Mail, MailOf, MailTemplates } from "#app/platform/mailer.ts";
import { emailTokenOf } from "#app/accounts/email-tokens.server.ts";
import { brand } from "#app/ui/brand.ts";
import { formatDateTime } from "#app/ui/dates.ts";

/** What a mail says, before it is set in text and HTML. */
export interface MailContent {
  subject: string;
  /** What inboxes show after the subject. */
  preview: string;
  heading: string;
  greeting: string;
  paragraphs: string[];
  action: { label: string; url: string };
  /** Small print below the button. */
  notes: string[];
}

type Parts = Omit<MailContent, "greeting" | "preview" | "notes" | "action"> & {
  action: { label: string; path: string };
  notes?: string[];
};

interface Writing {
  origin: string;
  /** Makes the tokens of links: the database and the outbox hold only their ids. */
  pepper: string;
}

/** The words of a mail; links lead to `origin`. */
export function contentOf(mail: Mail, { origin, pepper }: Writing): MailContent {
  const { action, notes = [], ...parts } = partsOf(mail, pepper);
  return {
    ...parts,
    notes,
    preview: parts.paragraphs[0] ?? parts.heading,
    greeting: greeting(mail.data.name),
    action: { label: action.label, url: `${origin}${action.path}` },
  };
}

/**
 * "Hello Wanjiku,". Anybody may sign up with another's address and any name, so a name that could carry a message or a link is
 * left out.
 */
function greeting(name: string): string {
  const [first = ""] = name.trim().split(/\s+/);
  return /^[\p{L}\p{M}'’-]{1,30}$/u.test(first) ? `Hello ${first},` : "Hello,";
}

function partsOf<Template extends keyof MailTemplates>({ template, data }: MailOf<Template>, pepper: string): Parts {
  return PARTS[template](data, pepper);
}

/** The words of each mail. */
const PARTS: { [Template in keyof MailTemplates]: (data: MailTemplates[Template], pepper: string) => Parts } = {
  confirmation: (data, pepper) => ({
    subject: `Confirm your email for ${brand.name}`,
    heading: "Confirm your email",
    paragraphs: [
      `Welcome to ${brand.name}, the marketplace of your campus. Press the button to confirm that this address is yours, and your account is ready.`,
    ],
    action: { label: "Confirm my email", path: `/auth/callback?token=${emailTokenOf(pepper, data.tokenId)}` },
    notes: [
      "The link works once, and for 24 hours.",
      `Did you not sign up? Then someone typed your address by mistake. Leave this mail alone, and nothing happens.`,
    ],
  }),
  welcome: () => ({
    subject: `Welcome to ${brand.name}`,
    heading: "You are in",
    paragraphs: [
      "Your email is confirmed, and your campus is open for business.",
      "Looking for something? Books, gadgets and furniture from students near you are a search away, and you pay safely by M-Pesa.",
      "Something to sell? Take a photo, name a price, done. The money comes to your M-Pesa once the buyer has it.",
    ],
    action: { label: "Look around", path: "/home" },
  }),
  password_reset: (data, pepper) => ({
    subject: `Set a new ${brand.name} password`,
    heading: "Set a new password",
    paragraphs: [
      "Someone asked for a new password for your account. Press the button to choose one. You are then signed out on all devices.",
    ],
    action: { label: "Choose a new password", path: `/auth/reset?token=${emailTokenOf(pepper, data.tokenId)}` },
    notes: [
      "The link works once, and for one hour.",
      "Was it not you? Leave this mail alone: your password stays as it is.",
    ],
  }),
  payment_received: (data) => {
    const receipt = data.receipt ? ` M-Pesa receipt: ${data.receipt}.` : "";
    return {
      subject: `Paid: ${money(data.amount)} for order ${short(data.orderId)}`,
      heading: "Payment received",
      paragraphs: [
        `We received ${money(data.amount)} for your order ${short(data.orderId)}.${receipt}`,
        "The seller has been told and will be in touch.",
      ],
      action: { label: "Follow your order", path: `/orders/${data.orderId}` },
    };
  },
  payment_failed: (data) => ({
    subject: `Not paid yet: order ${short(data.orderId)}`,
    heading: "Your payment did not go through",
    paragraphs: [
      `We asked for ${money(data.amount)} for your order ${short(data.orderId)}. ${data.reason}`,
      "Your order is kept for a day, and nothing was charged for it that we know of.",
    ],
    action: { label: "Try Payment Again", path: `/checkout/${data.orderId}` },
  }),
  payment_held: (data) => ({
    subject: `We are checking your payment: order ${short(data.orderId)}`,
    heading: "We are checking your payment",
    paragraphs: [
      `A payment has reached us for your order ${short(data.orderId)} that does not match the ${money(data.amount)} we asked for.`,
      "Please do not pay again: a person is looking into it, and you will hear from us.",
    ],
    action: { label: "See your order", path: `/orders/${data.orderId}` },
  }),
  new_sale: (data) => ({
    subject: `Sold: ${data.productName}`,
    heading: "You made a sale",
    paragraphs: [
      `${data.quantity} × ${data.productName} is paid: ${money(data.subtotal)} is yours once it is delivered.`,
      "Write to the buyer to agree how it reaches them.",
      ...(data.taken ? [TAKEN] : []),
    ],
    action: { label: "Open the order", path: `/seller/orders/${data.orderItemId}` },
  }),
  item_shipped: (data) => ({
    subject: `On its way: ${data.productName}`,
    heading: "On its way",
    paragraphs: [`The seller has sent ${data.productName}.`],
    action: { label: "Follow your order", path: `/orders/${data.orderId}` },
  }),
  item_delivered: (data) => ({
    subject: `Delivered: ${data.productName}`,
    heading: "Delivered",
    paragraphs: [
      `The seller says ${data.productName} has reached you. If it has not, tell us right away from the order's page.`,
    ],
    action: { label: "Open the order", path: `/orders/${data.orderId}` },
  }),
  payout_phone_changed: (data) => ({
    subject: "Your M-Pesa number was changed",
    heading: "Your M-Pesa number was changed",
    paragraphs: [
      `We now send your payouts to the number ending in ${data.is}, not to the one ending in ${data.was}.`,
      ...(data.heldUntil === null
        ? []
        : [`To keep your money safe, we send no payouts until ${formatDateTime(data.heldUntil)}.`]),
      "If you didn't change it, change your password now, log out of all devices, and put your own number back.",
    ],
    action: { label: "Open your settings", path: "/profile?tab=settings" },
  }),
  payout_sent: (data) => ({
    subject: `${money(data.amount)} sent to your M-Pesa`,
    heading: "You have been paid",
    paragraphs: [`We sent ${money(data.amount)} to your M-Pesa. Transaction: ${data.transactionId}.`],
    action: { label: "Open the order", path: `/seller/orders/${data.orderItemId}` },
  }),
  payout_parked: (data) => ({
    subject: `Your payout of ${money(data.amount)} is waiting`,
    heading: "Your payout is waiting",
    paragraphs: [
      `We could not send ${money(data.amount)} to your M-Pesa yet: ${data.reason}`,
      "Your money is safe. We will try again or be in touch.",
    ],
    action: { label: "Open the order", path: `/seller/orders/${data.orderItemId}` },
  }),
  refund_due: (data) => {
    if (data.sold) {
      return {
        subject: `Somebody else was faster with order ${short(data.orderId)}`,
        heading: "We owe you a refund",
        paragraphs: [
          `Somebody else bought what you ordered just before your payment of ${money(data.amount)} reached us. We are sending it back to you.`,
        ],
        action: { label: "Open the order", path: `/orders/${data.orderId}` },
      };
    }
    return {
      subject: `You paid order ${short(data.orderId)} twice`,
      heading: "We owe you a refund",
      paragraphs: [
        `A second payment of ${money(data.amount)} reached us for an order that was paid already. We are sending it back to you.`,
      ],
      action: { label: "Open the order", path: `/orders/${data.orderId}` },
    };
  },
  plan_active: (data) => {
    const receipt = data.receipt ? ` M-Pesa receipt: ${data.receipt}.` : "";
    return {
      subject: `Your ${data.plan} is on`,
      heading: "Your plan is on",
      paragraphs: [
        `We received ${money(data.amount)} for the ${data.plan}.${receipt}`,
        `It runs until ${formatDateTime(data.endsAt)} and ends by itself: nothing is charged again unless you pay again.`,
      ],
      action: { label: "Open your shop", path: "/myshop" },
    };
  },
  plan_ending: (data) => ({
    subject: `Your ${data.plan} ends soon`,
    heading: "Your plan ends soon",
    paragraphs: [
      `The ${data.plan} runs until ${formatDateTime(data.endsAt)}. Renew it before then, and the new time is added to the old.`,
    ],
    action: { label: "Renew", path: `/subscription?plan=${data.planId}` },
    notes: ["If you do nothing, it ends by itself and costs nothing more."],
  }),
  plan_ended: (data) => ({
    subject: `Your ${data.plan} has ended`,
    heading: "Your plan has ended",
    paragraphs: [`The ${data.plan} has run out. Your shop and your listings stay as they are.`],
    action: { label: "Renew", path: `/subscription?plan=${data.planId}` },
  }),
  plan_refund_due: (data) => ({
    subject: `You paid the ${data.plan} twice`,
    heading: "We owe you a refund",
    paragraphs: [
      `A second payment of ${money(data.amount)} reached us for a plan that was paid already. We are sending it back to you.`,
    ],
    action: { label: "Open your plans", path: "/subscription" },
  }),
  refund_sent: (data) => ({
    subject: `${money(data.amount)} is on its way back to you`,
    heading: "Your refund is sent",
    paragraphs: [`We sent ${money(data.amount)} back to the M-Pesa it came from. M-Pesa receipt: ${data.receipt}.`],
    action:
      data.orderId === null
        ? { label: "Open your plans", path: "/subscription" }
        : { label: "Open the order", path: `/orders/${data.orderId}` },
  }),
  verification_decided: (data) =>
    data.approved
      ? {
          subject: "You are verified",
          heading: "You are verified",
          paragraphs: ["We looked at your document, and all is well. Others now see a verified mark beside your name."],
          action: { label: "See your profile", path: "/profile" },
        }
      : {
          subject: "Your document was not accepted",
          heading: "We could not accept your document",
          paragraphs: [
            `Why: ${data.reason}`,
            "You can upload another one in your settings, and we will look at it soon.",
          ],
          action: { label: "Upload another document", path: "/profile?tab=settings" },
        },
  report_closed: (data) => ({
    subject: "About what you reported",
    heading: "We looked into it",
    paragraphs: ["Thank you for telling us. This is what came of it:", data.outcome],
    action: { label: `Go to ${brand.name}`, path: "/home" },
  }),
  account_suspended: (data) => ({
    subject: `Your ${brand.name} account is suspended`,
    heading: "Your account is suspended",
    paragraphs: [
      `Why: ${data.reason}`,
      "You cannot log in for now, and your listings are taken down. Orders and payouts under way are completed. If you think this is a mistake, answer this mail.",
    ],
    action: { label: `Go to ${brand.name}`, path: "/auth" },
  }),
  listing_suspended: (data) => ({
    subject: `Taken down: ${data.productName}`,
    heading: "Your listing was taken down",
    paragraphs: [
      `We took ${data.productName} down. Why: ${data.reason}`,
      "If you think this is a mistake, answer this mail.",
    ],
    action: { label: "Open your shop", path: "/myshop" },
  }),
};

/** To the seller of something that is not new. */
const TAKEN =
  "We have marked the listing as sold, so that nobody else pays for it. If you have more of the same, put it back on sale from the order's page.";

function money(amount: number): string {
  return `KES ${amount.toLocaleString("en-KE")}`;
}

function short(orderId: string): string {
  return orderId.slice(0, 8);
}
