import { divideMoney, type ItemPrice, type MoneyShares, paidFor } from "#app/orders/item-price-rules.ts";
import { HANDOVER_MARKS } from "#app/catalogue/types/handover-mark-rules.ts";
import { HANDOVER_TERMS } from "#app/catalogue/types/handover-rules.ts";
import { HANDOVER_WORDS } from "#app/catalogue/types/handover-word-rules.ts";
import type { LiftedReport } from "#app/db/states/deal.ts";
import { ITEM } from "#app/db/states/item.ts";
import type { DealStep, DealStepData as Data, FreedMoney } from "#app/notifications/kinds.ts";
import { moneyStays } from "#app/deals/words/next-step-texts.ts";
import { periodText, withinText } from "#app/deals/words/deal-promises.ts";
import { problemFrom, WRONG_CODES_MAX } from "#app/deals/deal-rules.ts";
import { BY_HELPER } from "#app/deals/code/handover-link-rules.ts";
import { DEAL_HOURS, shipReminders } from "#app/orders/deal-timer-rules.ts";
import { capitalized } from "#app/platform/word-rules.ts";
import { formatDateTime } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";

const ANSWER_CANCEL = periodText(DEAL_HOURS.answerCancel);
const ANSWER_PROBLEM = periodText(DEAL_HOURS.answerProblem);

interface MailWords {
  subject: string;
  paragraphs: string[];
}

type Writer = (data: Data) => MailWords;

/** The time limit, as a phrase: "by 3 May 2026, 14:00". */
function by(data: Data): string {
  return data.until === null ? "soon" : `by ${formatDateTime(data.until)}`;
}

/**
 * What our team wrote, as a paragraph. Emails never quote the other side, so that nobody can send messages or links in
 * our name. Both sides read those words on the order page.
 */
function quoteTeam({ note }: Data): string[] {
  return note ? [`Our team wrote: “${note}”`] : [];
}

const REFUND_COMES = "We are sending your money back to the M-Pesa number that paid. We'll email you the receipt.";

function moneyBack(data: Data): string {
  return data.price === 0 ? "You paid nothing, so nothing is sent back." : REFUND_COMES;
}

function priceOf({ price, buyerFee = 0, sellerFee = 0 }: Data): ItemPrice {
  return { subtotal: price, buyerFee, sellerFee };
}

/** What each side gets, where the step gives a part back. */
function sharesOf(data: Data): MoneyShares {
  return divideMoney(priceOf(data), data.amount ?? 0);
}

function paidBy(data: Data): number {
  return paidFor(priceOf(data));
}

/** What is true only where somebody paid, and what is said of a free item in its place. */
function paid({ price }: Data, words: string, free = ""): string {
  return price === 0 ? free : words;
}

/** A decision about a free item. */
function favor(whose: string, { productName }: Data): string {
  return `We decided in ${whose} favour about ${productName}.`;
}

function goesBack(data: Data): string {
  return paid(data, " and the buyer gets the money back");
}

/** What one writer makes of an email for each side. */
function both(writer: Writer): Record<Data["role"], Writer> {
  return { buyer: writer, seller: writer };
}

/** What a deal is to its reader. */
function deal({ role }: Data): string {
  return role === "buyer" ? "order" : "sale";
}

/** What the steps of its deal are called. What was told before there were kinds was of a thing. */
function called({ handover = "thing" }: Partial<Pick<Data, "handover">>) {
  return { ...HANDOVER_WORDS[handover], ...HANDOVER_MARKS[handover], within: withinText(handover) };
}

/** "If it isn't handed over or shipped". */
function ifMissed(data: Data): string {
  return `If ${called(data).missed("it", "isn't")}`;
}

/** How long after the payment a reminder came, in words. `n`: the first is 0. */
function ago({ handover }: Data, n: 0 | 1 | 2): string {
  return periodText(shipReminders(handover ?? "thing")[n]);
}

/** The buyer is reminded while the seller waits for them. */
function answerReminder(n: 0 | 1 | 2): Writer {
  return (data) => ({
    subject: `The seller waits for you: ${data.productName}`,
    paragraphs: [
      `You ${paid(data, "paid for", "ordered")} ${data.productName} ${ago(data, n)} ago, and the seller is waiting for your answer. Answer on the order page: agree to the plan for ${called(data).name}, or suggest another one. If you've blocked the seller, unblock them to write to each other.`,
      `${ifMissed(data)} ${by(data)}, we cancel it${paid(data, " and send your money back")}. You can also cancel it yourself.`,
    ],
  });
}

function shipReminder(n: 0 | 1 | 2): Writer {
  return (data) => ({
    subject: `${called(data).please}: ${data.productName}`,
    paragraphs: [
      `The buyer ${paid(data, "paid for", "ordered")} ${data.productName} ${ago(data, n)} ago. Agree on a time and place for ${called(data).name}.`,
      `${ifMissed(data)} within ${called(data).within} of the ${paid(data, "payment", "order")}, the sale is cancelled${goesBack(data)}.`,
    ],
  });
}

/** `other`: who says that the reader didn't come, or answers that they did. */
function missed(other: Data["role"]): Writer {
  return (data) =>
    data.reason
      ? {
          subject: `The ${other} says that they came: ${data.productName}`,
          paragraphs: [
            `You said that the ${other} didn't come to the meeting for ${data.productName}. They say that they did, so it counts for neither of you.`,
          ],
        }
      : {
          subject: `Did you miss a meeting? ${data.productName}`,
          paragraphs: [
            `The ${other} says that you didn't come to the meeting for ${data.productName}. Were you there? Say so on the page of your ${deal(data)} ${by(data)}. Then it counts for neither of you.`,
            "If something came up, write to them and suggest another time.",
          ],
        };
}

const ADD_BY_REPLY = "You can add to what you have written by replying to this email.";

const REVIEW = both((data) => ({
  subject: `Our team will decide: ${data.productName}`,
  paragraphs: [
    `Your ${deal(data)} of ${data.productName} needs a decision. Our team will read what you and the ${data.role === "buyer" ? "seller" : "buyer"} wrote, decide, and email you.${moneyStays(data.role, data.price)}`,
    ADD_BY_REPLY,
  ],
}));

/** The email of each step, for each side that gets one (`DEAL_READERS`). */
const MAILS: Partial<Record<DealStep, Partial<Record<Data["role"], Writer>>>> = {
  ship_reminder_1: { seller: shipReminder(0), buyer: answerReminder(0) },
  ship_reminder_2: { seller: shipReminder(1), buyer: answerReminder(1) },
  ship_reminder_3: { seller: shipReminder(2), buyer: answerReminder(2) },
  inspection_reminder: {
    buyer: (data) => ({
      subject: `Is ${data.productName} OK?`,
      paragraphs: [
        `The seller says that ${called(data).has("you", data.productName)}. If something is wrong, report it on the order page ${by(data)}.`,
        "If everything is fine, you don't have to do anything. We then pay the seller.",
      ],
    }),
  },
  buyer_missed: { buyer: missed("seller") },
  seller_missed: { seller: missed("buyer") },
  shipped: {
    buyer: (data) => ({
      subject: called(data).isSent(data.productName),
      paragraphs: [
        `The seller marked ${data.productName} as ${called(data).sent}.`,
        `When ${called(data).fine("it")}, give the seller the handover code from your order page.`,
        `If ${called(data).lacks} after ${periodText(HANDOVER_TERMS[data.handover ?? "thing"].arrival)}, you can report a problem there.`,
      ],
    }),
  },
  delivered: {
    buyer: (data) => ({
      subject: `${capitalized(called(data).done)}: ${data.productName}`,
      paragraphs: [
        `The seller says that ${called(data).has("you", data.productName)}. Please check it now.`,
        `If ${called(data).lacks}, or something is wrong, report it on the order page ${by(data)}. After that we pay the seller.`,
      ],
    }),
  },
  delivered_without_inspection: {
    buyer: (data) => ({
      subject: `${capitalized(called(data).done)}: ${data.productName}`,
      paragraphs: [
        `The seller says that ${called(data).has("you", data.productName)}. If ${called(data).lacks}, tell us right away on the order page.`,
      ],
    }),
  },
  code_entered: {
    buyer: (data) => ({
      subject: `${called(data).ended}: ${data.productName}`,
      paragraphs: [
        `${data.reason === BY_HELPER ? "Somebody whom the seller asked" : "The seller"} entered your handover code for ${data.productName}, so your order is completed${paid(data, " and we pay the seller")}.`,
        "If you didn't give anybody the code, reply to this email right away.",
      ],
    }),
    // Only where the seller wasn't there.
    seller: (data) => ({
      subject: `Handed over: ${data.productName}`,
      paragraphs: [
        `Somebody whom you asked handed over ${data.productName} and entered the buyer's code.${paid(data, " We are sending your money.")}`,
      ],
    }),
  },
  code_closed: {
    buyer: (data) => ({
      subject: `Your handover code is blocked: ${data.productName}`,
      paragraphs: [
        `${WRONG_CODES_MAX} wrong codes were entered for ${data.productName}, so your code no longer works.`,
        `When ${called(data).fine("the item")}, confirm on the order page that everything is OK. If you think that somebody is guessing your code, reply to this email.`,
      ],
    }),
    seller: (data) => ({
      subject: `The handover code is blocked: ${data.productName}`,
      paragraphs: [
        `${WRONG_CODES_MAX} wrong codes were entered for ${data.productName}, so the code no longer works for this item.`,
        `Mark it as ${called(data).sent}, and as ${called(data).done} once ${called(data).has("the buyer", "it")}.${paid(data, " You are paid when the buyer confirms it, or when the time to report a problem is over.")}`,
      ],
    }),
  },
  cancelled_by_buyer: {
    seller: (data) => ({
      subject: `Cancelled: ${data.productName}`,
      paragraphs: [
        `The buyer cancelled ${data.productName}${paid(data, " and gets the money back")}. ${called(data).dont}`,
      ],
    }),
  },
  cancel_requested: {
    seller: (data) => ({
      subject: `Cancel ${data.productName}?`,
      paragraphs: [
        `The buyer asks you to cancel ${data.productName}. Answer on the order page ${by(data)}. If you don't, the sale is cancelled.`,
      ],
    }),
  },
  cancel_accepted: {
    buyer: (data) => ({
      subject: `Cancelled: ${data.productName}`,
      paragraphs: [`The seller agreed to cancel ${data.productName}.`, moneyBack(data)],
    }),
  },
  cancel_declined: {
    buyer: (data) => ({
      subject: `Not cancelled: ${data.productName}`,
      paragraphs: [
        `The seller wants to go ahead with ${data.productName}. Write to each other on the order page.`,
        `${ifMissed(data)} in time, we cancel it${paid(data, " and send your money back")}.`,
      ],
    }),
  },
  cancel_withdrawn: {
    seller: (data) => ({
      subject: `The buyer wants ${data.productName} after all`,
      paragraphs: [`The buyer no longer asks to cancel ${data.productName}. You can go on.`],
    }),
  },
  cancel_unanswered: {
    buyer: (data) => ({
      subject: `Cancelled: ${data.productName}`,
      paragraphs: [
        `The seller didn't answer within ${ANSWER_CANCEL}, so we cancelled ${data.productName} for you.`,
        moneyBack(data),
      ],
    }),
    seller: (data) => ({
      subject: `Cancelled: ${data.productName}`,
      paragraphs: [
        `The buyer asked you to cancel ${data.productName}. There was no answer within ${ANSWER_CANCEL}, so the sale is cancelled${goesBack(data)}. ${called(data).dont}`,
      ],
    }),
  },
  cancelled_by_seller: {
    buyer: (data) => ({
      subject: `Cancelled by the seller: ${data.productName}`,
      paragraphs: [
        `The seller cancelled ${data.productName}. If they gave a reason, it's on the order page.`,
        moneyBack(data),
      ],
    }),
  },
  not_shipped: {
    buyer: (data) => ({
      subject: `Cancelled: ${data.productName}`,
      paragraphs: [
        `${called(data).missed(data.productName, "wasn't")} within ${called(data).within} of your ${paid(data, "payment", "order")}, so we cancelled it for you.`,
        moneyBack(data),
      ],
    }),
    seller: (data) => ({
      subject: `Cancelled: ${data.productName}`,
      paragraphs: [
        `${called(data).missed(data.productName, "wasn't")} within ${called(data).within} of the ${paid(data, "payment", "order")}, so the sale is cancelled${goesBack(data)}. ${called(data).dont}`,
      ],
    }),
  },
  held: both((data) => ({
    subject: `On hold: ${data.productName}`,
    paragraphs: [
      `An account or the listing behind your ${deal(data)} of ${data.productName} was closed, and our team is checking it. Until they have decided, nothing happens by itself${paid(data, `, and ${data.role === "buyer" ? "your" : "the"} money is safe with us`)}.`,
      `We'll email you what they decide.${data.role === "buyer" ? " If you don't want to wait, open the order: where it hasn't been sent yet, you can cancel it there." : ""}`,
    ],
  })),
  resumed: both((data) => ({
    subject: `Your ${deal(data)} goes on: ${data.productName}`,
    paragraphs: [
      `Our team has decided that your ${deal(data)} of ${data.productName} isn't ended. It goes on with the time that was left.`,
      `The ${data.role === "buyer" ? "order page" : "page of the sale"} says what happens next, and by when.`,
    ],
  })),
  party_gone: both((data) => {
    const wasClosed = `An account or listing behind your ${deal(data)} of ${data.productName} was closed`;
    return {
      subject: `This sale can't go on: ${data.productName}`,
      paragraphs:
        data.amount === null
          ? [`${wasClosed}. Our team will decide${paid(data, " who gets the money")}, and email you.`]
          : data.role === "buyer"
            ? [`${wasClosed}, so we cancelled it.`, moneyBack(data)]
            : [`${wasClosed}, so it is cancelled${goesBack(data)}. ${called(data).dont}`],
    };
  }),
  problem_reported: {
    seller: (data) => ({
      subject: `Problem with ${data.productName}`,
      paragraphs: [
        `The buyer reported a problem with ${data.productName}.`,
        `Read it, then ${paid(data, "refund the buyer, offer to give a part back", "agree with the buyer")}, or say why you don't agree, within ${ANSWER_PROBLEM}. You can also write to the buyer. If you don't agree or don't answer, our team decides.${moneyStays(data.role, data.price)}`,
      ],
    }),
  },
  refunded_by_seller: {
    buyer: (data) => ({
      subject: `${paid(data, "Refunded", "Settled")}: ${data.productName}`,
      paragraphs: [
        paid(
          data,
          `The seller refunded ${data.productName} in full. ${REFUND_COMES}`,
          `The seller agreed with you about ${data.productName}. It was free, so no money moves.`,
        ),
        ...(called(data).back?.buyer ?? []),
      ],
    }),
  },
  part_offered: {
    buyer: (data) => ({
      subject: `An offer for ${data.productName}`,
      paragraphs: [
        `The seller offers to give you ${formatKes(sharesOf(data).buyer)} of ${formatKes(paidBy(data))} back for ${data.productName}.`,
        `Accept it on the page of the problem, or ask our team to decide. If you do neither ${by(data)}, our team decides.`,
      ],
    }),
  },
  problem_contested: {
    buyer: (data) => ({
      subject: `Our team will decide: ${data.productName}`,
      paragraphs: [
        `The seller doesn't agree with the problem that you reported with ${data.productName}. You can read why on the page of the problem. Our team will read what both of you wrote, decide, and email you.${moneyStays(data.role, data.price)}`,
        ADD_BY_REPLY,
      ],
    }),
  },
  part_accepted: {
    seller: (data) => ({
      subject: `Offer accepted: ${data.productName}`,
      paragraphs: [
        `The buyer accepted your offer for ${data.productName}. ${formatKes(sharesOf(data).buyer)} goes back to the buyer, and we send you ${formatKes(sharesOf(data).seller)}.`,
      ],
    }),
  },
  problem_withdrawn: {
    seller: (data) => ({
      subject: `Problem solved: ${data.productName}`,
      paragraphs: [
        `The buyer says that the problem with ${data.productName} is solved.${paid(data, " We are sending your money.")}`,
      ],
    }),
  },
  review_requested: { seller: REVIEW.seller },
  report_lifted: {
    seller: (data) => ({
      subject: `You can go on: ${data.productName}`,
      paragraphs: [
        data.reason === ("issue" satisfies LiftedReport)
          ? `The buyer took back what they had reported about ${data.productName}.${paid(data, " Their handover code pays you at once again.")}`
          : `Our team no longer looks at your sale of ${data.productName}.${paid(data, " The buyer's handover code pays you at once again.")}`,
      ],
    }),
  },
  code_held: REVIEW,
  payout_stopped: REVIEW,
  report_open: REVIEW,
  problem_unanswered: REVIEW,
  no_agreement: REVIEW,
  shipment_overdue: REVIEW,
  team_refunded: {
    buyer: (data) => ({
      subject: `Our decision: ${data.productName}`,
      paragraphs: [
        paid(data, `We decided that you get all your money back for ${data.productName}.`, favor("your", data)),
        ...quoteTeam(data),
        moneyBack(data),
      ],
    }),
    seller: (data) => ({
      subject: `Our decision: ${data.productName}`,
      paragraphs: [
        paid(
          data,
          `We decided that the buyer of ${data.productName} gets all the money back.`,
          favor("the buyer's", data),
        ),
        ...quoteTeam(data),
      ],
    }),
  },
  team_split: {
    buyer: (data) => ({
      subject: `Our decision: ${data.productName}`,
      paragraphs: [
        `We decided that you get ${formatKes(sharesOf(data).buyer)} of ${formatKes(paidBy(data))} back for ${data.productName}.`,
        ...quoteTeam(data),
        moneyBack(data),
      ],
    }),
    seller: (data) => ({
      subject: `Our decision: ${data.productName}`,
      paragraphs: [
        `We decided that the buyer of ${data.productName} gets ${formatKes(sharesOf(data).buyer)} back, and you get ${formatKes(sharesOf(data).seller)}.`,
        ...quoteTeam(data),
      ],
    }),
  },
  team_released: {
    buyer: (data) => ({
      subject: `Our decision: ${data.productName}`,
      paragraphs: [
        paid(data, `We decided that the seller gets the money for ${data.productName}.`, favor("the seller's", data)),
        ...quoteTeam(data),
        "If you think that this is wrong, reply to this email.",
      ],
    }),
    seller: (data) => ({
      subject: `Our decision: ${data.productName}`,
      paragraphs: [
        paid(
          data,
          `We decided that you get the money for ${data.productName}. We are sending it now.`,
          favor("your", data),
        ),
        ...quoteTeam(data),
      ],
    }),
  },
};

/** What follows once a report doesn't stop an item's money any more, and by when its buyer can report a problem. */
export function freedMail({ status, shippedAt, until, handover = "thing" }: FreedMoney): string {
  const end = until === null ? "soon" : formatDateTime(until);
  if (ITEM.isToShip(status))
    return `We pay the seller once they enter your handover code, so check first before you give it to them. If ${HANDOVER_WORDS[handover].missed("it", "isn't")} by ${end}, you get your money back.`;
  if (status === "cancel_requested")
    return `You asked to cancel. If the seller doesn't answer by ${end}, you get your money back.`;
  if (ITEM.isShipped(status))
    return `We pay the seller once they enter your handover code, or you say that everything is OK. If ${HANDOVER_WORDS[handover].lacks}, or something is wrong, report a problem on the order page, from ${formatDateTime(problemFrom({ shippedAt, handover }))} on. At ${end} our team looks into it.`;
  if (ITEM.hasOpenProblem(status))
    return "The problem that you reported about it stays open, and your money stays with us until it's settled.";
  if (status === "delivered")
    return `If something is wrong, report a problem on the order page by ${end}. After that we pay the seller.`;
  return "The order is completed, so we pay the seller now. If something is wrong, use Report Issue on the order page at once: we can stop the money only until it has left.";
}

/** The email of a step for one side. */
export function dealMail(data: Data): MailWords & { heading: string; action: { label: string; path: string } } {
  const mail = MAILS[data.step]?.[data.role]?.(data);
  if (!mail) throw new Error(`no email of ${data.step} for the ${data.role}`);
  return { ...mail, heading: mail.subject, action: actionOf(data) };
}

/** The steps of a reported problem, and of what our team decides. Their emails link to the page of the problem. */
const PROBLEM_STEPS: readonly DealStep[] = [
  "problem_reported",
  "refunded_by_seller",
  "part_offered",
  "problem_contested",
  "part_accepted",
  "problem_withdrawn",
  "review_requested",
  "report_open",
  "problem_unanswered",
  "no_agreement",
  "shipment_overdue",
  "team_refunded",
  "team_split",
  "team_released",
];

function actionOf({ step, role, orderId, orderItemId }: Data): { label: string; path: string } {
  if (PROBLEM_STEPS.includes(step)) return { label: "Open the problem", path: `/problems/${orderItemId}` };
  return { label: "Open the order", path: role === "buyer" ? `/orders/${orderId}` : `/seller/orders/${orderItemId}` };
}
