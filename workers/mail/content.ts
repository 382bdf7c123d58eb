import type { Mail } from "#app/accounts/mailer.ts";
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

type Parts = Omit<MailContent, "greeting" | "preview" | "notes" | "action"> & { action: { label: string; path: string }; notes?: string[] };

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

function partsOf(mail: Mail, pepper: string): Parts {
  switch (mail.template) {
    case "confirmation":
      return {
        subject: `Confirm your email for ${brand.name}`,
        heading: "Confirm your email",
        paragraphs: [`Welcome to ${brand.name}, the marketplace of your campus. Press the button to confirm that this address is yours, and your account is ready.`],
        action: { label: "Confirm my email", path: `/auth/callback?token=${emailTokenOf(pepper, mail.data.tokenId)}` },
        notes: ["The link works once, and for 24 hours.", `Did you not sign up? Then someone typed your address by mistake. Leave this mail alone, and nothing happens.`],
      };
    case "welcome":
      return {
        subject: `Welcome to ${brand.name}`,
        heading: "You are in",
        paragraphs: [
          "Your email is confirmed, and your campus is open for business.",
          "Looking for something? Books, gadgets and furniture from students near you are a search away, and you pay safely by M-Pesa.",
          "Something to sell? Take a photo, name a price, done. The money comes to your M-Pesa once the buyer has it.",
        ],
        action: { label: "Look around", path: "/home" },
      };
    case "password_reset":
      return {
        subject: `Set a new ${brand.name} password`,
        heading: "Set a new password",
        paragraphs: ["Someone asked for a new password for your account. Press the button to choose one. You are then signed out on all devices."],
        action: { label: "Choose a new password", path: `/auth/reset?token=${emailTokenOf(pepper, mail.data.tokenId)}` },
        notes: ["The link works once, and for one hour.", "Was it not you? Leave this mail alone: your password stays as it is."],
      };
    case "payment_received": {
      const receipt = mail.data.receipt ? ` M-Pesa receipt: ${mail.data.receipt}.` : "";
      return {
        subject: `Paid: ${money(mail.data.amount)} for order ${short(mail.data.orderId)}`,
        heading: "Payment received",
        paragraphs: [`We received ${money(mail.data.amount)} for your order ${short(mail.data.orderId)}.${receipt}`, "The seller has been told and will be in touch."],
        action: { label: "Follow your order", path: `/orders/${mail.data.orderId}` },
      };
    }
    case "payment_failed":
      return {
        subject: `Not paid yet: order ${short(mail.data.orderId)}`,
        heading: "Your payment did not go through",
        paragraphs: [`We asked for ${money(mail.data.amount)} for your order ${short(mail.data.orderId)}. ${mail.data.reason}`, "Your order is kept for a day, and nothing was charged for it that we know of."],
        action: { label: "Try Payment Again", path: `/checkout/${mail.data.orderId}` },
      };
    case "payment_held":
      return {
        subject: `We are checking your payment: order ${short(mail.data.orderId)}`,
        heading: "We are checking your payment",
        paragraphs: [
          `A payment has reached us for your order ${short(mail.data.orderId)} that does not match the ${money(mail.data.amount)} we asked for.`,
          "Please do not pay again: a person is looking into it, and you will hear from us.",
        ],
        action: { label: "See your order", path: `/orders/${mail.data.orderId}` },
      };
    case "new_sale":
      return {
        subject: `Sold: ${mail.data.productName}`,
        heading: "You made a sale",
        paragraphs: [`${mail.data.quantity} × ${mail.data.productName} is paid: ${money(mail.data.subtotal)} is yours once it is delivered.`, "Write to the buyer to agree how it reaches them.", ...(mail.data.taken ? [TAKEN] : [])],
        action: { label: "Open the order", path: `/seller/orders/${mail.data.orderItemId}` },
      };
    case "item_shipped":
      return {
        subject: `On its way: ${mail.data.productName}`,
        heading: "On its way",
        paragraphs: [`The seller has sent ${mail.data.productName}.`],
        action: { label: "Follow your order", path: `/orders/${mail.data.orderId}` },
      };
    case "item_delivered":
      return {
        subject: `Delivered: ${mail.data.productName}`,
        heading: "Delivered",
        paragraphs: [`The seller says ${mail.data.productName} has reached you. If it has not, tell us right away from the order's page.`],
        action: { label: "Open the order", path: `/orders/${mail.data.orderId}` },
      };
    case "payout_phone_changed":
      return {
        subject: "The number your money goes to was changed",
        heading: "Your M-Pesa number was changed",
        paragraphs: [
          `The number your money goes to was changed from …${mail.data.was} to …${mail.data.is}.`,
          "If this was not you, change your password at once, sign out of all devices, and put your own number back.",
        ],
        action: { label: "Open your settings", path: "/profile?tab=settings" },
      };
    case "payout_sent":
      return {
        subject: `${money(mail.data.amount)} sent to your M-Pesa`,
        heading: "You have been paid",
        paragraphs: [`We sent ${money(mail.data.amount)} to your M-Pesa. Transaction: ${mail.data.transactionId}.`],
        action: { label: "Open the order", path: `/seller/orders/${mail.data.orderItemId}` },
      };
    case "payout_parked":
      return {
        subject: `Your payout of ${money(mail.data.amount)} is waiting`,
        heading: "Your payout is waiting",
        paragraphs: [`We could not send ${money(mail.data.amount)} to your M-Pesa yet: ${mail.data.reason}`, "Your money is safe. We will try again or be in touch."],
        action: { label: "Open the order", path: `/seller/orders/${mail.data.orderItemId}` },
      };
    case "refund_due":
      if (mail.data.sold) {
        return {
          subject: `Somebody else was faster with order ${short(mail.data.orderId)}`,
          heading: "We owe you a refund",
          paragraphs: [`Somebody else bought what you ordered just before your payment of ${money(mail.data.amount)} reached us. We are sending it back to you.`],
          action: { label: "Open the order", path: `/orders/${mail.data.orderId}` },
        };
      }
      return {
        subject: `You paid order ${short(mail.data.orderId)} twice`,
        heading: "We owe you a refund",
        paragraphs: [`A second payment of ${money(mail.data.amount)} reached us for an order that was paid already. We are sending it back to you.`],
        action: { label: "Open the order", path: `/orders/${mail.data.orderId}` },
      };
    case "plan_active": {
      const receipt = mail.data.receipt ? ` M-Pesa receipt: ${mail.data.receipt}.` : "";
      return {
        subject: `Your ${mail.data.plan} is on`,
        heading: "Your plan is on",
        paragraphs: [`We received ${money(mail.data.amount)} for the ${mail.data.plan}.${receipt}`, `It runs until ${formatDateTime(mail.data.endsAt)} and ends by itself: nothing is charged again unless you pay again.`],
        action: { label: "Open your shop", path: "/myshop" },
      };
    }
    case "plan_ending":
      return {
        subject: `Your ${mail.data.plan} ends soon`,
        heading: "Your plan ends soon",
        paragraphs: [`The ${mail.data.plan} runs until ${formatDateTime(mail.data.endsAt)}. Renew it before then, and the new time is added to the old.`],
        action: { label: "Renew", path: `/subscription?plan=${mail.data.planId}` },
        notes: ["If you do nothing, it ends by itself and costs nothing more."],
      };
    case "plan_ended":
      return {
        subject: `Your ${mail.data.plan} has ended`,
        heading: "Your plan has ended",
        paragraphs: [`The ${mail.data.plan} has run out. Your shop and your listings stay as they are.`],
        action: { label: "Renew", path: `/subscription?plan=${mail.data.planId}` },
      };
    case "plan_refund_due":
      return {
        subject: `You paid the ${mail.data.plan} twice`,
        heading: "We owe you a refund",
        paragraphs: [`A second payment of ${money(mail.data.amount)} reached us for a plan that was paid already. We are sending it back to you.`],
        action: { label: "Open your plans", path: "/subscription" },
      };
    case "refund_sent":
      return {
        subject: `${money(mail.data.amount)} is on its way back to you`,
        heading: "Your refund is sent",
        paragraphs: [`We sent ${money(mail.data.amount)} back to the M-Pesa it came from. M-Pesa receipt: ${mail.data.receipt}.`],
        action: mail.data.orderId === null ? { label: "Open your plans", path: "/subscription" } : { label: "Open the order", path: `/orders/${mail.data.orderId}` },
      };
    case "verification_decided":
      return mail.data.approved
        ? {
            subject: "You are verified",
            heading: "You are verified",
            paragraphs: ["We looked at your document, and all is well. Others now see a verified mark beside your name."],
            action: { label: "See your profile", path: "/profile" },
          }
        : {
            subject: "Your document was not accepted",
            heading: "We could not accept your document",
            paragraphs: [`Why: ${mail.data.reason}`, "You can upload another one in your settings, and we will look at it soon."],
            action: { label: "Upload another document", path: "/profile?tab=settings" },
          };
    case "report_closed":
      return {
        subject: "About what you reported",
        heading: "We looked into it",
        paragraphs: ["Thank you for telling us. This is what came of it:", mail.data.outcome],
        action: { label: `Go to ${brand.name}`, path: "/home" },
      };
    case "account_suspended":
      return {
        subject: `Your ${brand.name} account is suspended`,
        heading: "Your account is suspended",
        paragraphs: [`Why: ${mail.data.reason}`, "You cannot log in for now, and your listings are taken down. Orders and payouts under way are completed. If you think this is a mistake, answer this mail."],
        action: { label: `Go to ${brand.name}`, path: "/auth" },
      };
    case "listing_suspended":
      return {
        subject: `Taken down: ${mail.data.productName}`,
        heading: "Your listing was taken down",
        paragraphs: [`We took ${mail.data.productName} down. Why: ${mail.data.reason}`, "If you think this is a mistake, answer this mail."],
        action: { label: "Open your shop", path: "/myshop" },
      };
  }
}

/** To the seller of something that is not new. */
const TAKEN = "We have marked the listing as sold, so that nobody else pays for it. If you have more of the same, put it back on sale from the order's page.";

function money(amount: number): string {
  return `KES ${amount.toLocaleString("en-KE")}`;
}

function short(orderId: string): string {
  return orderId.slice(0, 8);
}
