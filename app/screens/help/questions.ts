/**
 * The questions of Help and their answers. Numbers come from the rules. Only loaders import this file, so that no
 * screen carries its texts in its script.
 */
import { MEETING_LASTS_MS, MEETINGS_SHOWN_FROM } from "#app/accounts/trust/missed-meeting-rules.ts";
import { NEWCOMER_MAX, NEWCOMER_MS } from "#app/accounts/trust/newcomer-rules.ts";
import {
  MIN_AGE,
  PASSWORD_MIN_LENGTH,
  RESET_LINK_LIFE_MS,
  SIGN_IN_PAUSE_MS,
  SIGN_IN_TRIES,
} from "#app/accounts/login/account-rules.ts";
import { RATED_FROM } from "#app/accounts/trust/rating-rules.ts";
import { QUANTITY_MAX } from "#app/basket/basket-rules.ts";
import { WHOLESALE_QUANTITY_MAX } from "#app/catalogue/selling/price-step-rules.ts";
import { RESERVATION_MS } from "#app/catalogue/stock/stock-rules.ts";
import { WAITS_MAX } from "#app/catalogue/stock/stock-waits-rules.ts";
import { CODE_DIGITS } from "#app/deals/code/code-length-rules.ts";
import { checkText, periodText, withinText } from "#app/deals/words/deal-promises.ts";
import { MEETING_MIN_AHEAD_MS } from "#app/meetings/meeting-rules.ts";
import { APPEAL_DAYS } from "#app/moderation/cases/case-rules.ts";
import { OFFER_HOURS, OFFER_MIN, OFFERS_A_DAY, OPEN_OFFERS_MAX } from "#app/offers/offer-rules.ts";
import { WRONG_CODES_MAX } from "#app/deals/deal-rules.ts";
import { DEAL_HOURS, NEW_SELLER_BUYERS, UNVERIFIED_LIMIT } from "#app/orders/deal-timer-rules.ts";
import { UNPAID_ORDER_LIFE_MS } from "#app/orders/order-limit-rules.ts";
import { HANDOVER_MARKS } from "#app/catalogue/types/handover-mark-rules.ts";
import { HANDOVER_TERMS } from "#app/catalogue/types/handover-rules.ts";
import { HANDOVER_WORDS } from "#app/catalogue/types/handover-word-rules.ts";
import { type Handover, HANDOVERS } from "#app/db/states/handover.ts";
import { PAYMENT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";
import { EDIT_HOURS, PUBLISH_DAYS, WRITE_DAYS } from "#app/reviews/review-rules.ts";
import { PLANS } from "#app/shops/plan-rules.ts";
import { formatKes } from "#app/ui/money.ts";
import { MINUTE_MS, HOUR_MS } from "#app/platform/duration-rules.ts";

export const HELP_GROUPS = [
  "Paying and your money",
  "Getting your item",
  "Finding and buying",
  "Selling",
  "Staying safe",
  "Your account",
] as const;

export interface HelpQuestion {
  /** The end of its address: /help/{id}. */
  id: string;
  group: (typeof HELP_GROUPS)[number];
  question: string;
  /** Paragraphs. */
  answer: readonly string[];
  /** Where to do what the answer says. */
  links: readonly { label: string; to: string }[];
  /** What else people type to find it. */
  words: string;
}

const MY_ORDERS = { label: "My Orders", to: "/profile?tab=orders" };
const PROTECTION = { label: "How paying is protected", to: "/protection" };
const KINDS = { label: "Rooms, tickets, services and food", to: "/help/kinds" };
const MY_MONEY = { label: "My Money", to: "/myshop/money" };
const MY_SHOP = { label: "My Shop", to: "/myshop" };
const SETTINGS = { label: "Settings", to: "/profile?tab=settings" };

const SHIP_DAYS = withinText("thing");
/** Then one side can say that the other didn't come. */
const MEETING_LASTS = periodText(MEETING_LASTS_MS / HOUR_MS);

/** The time that a buyer has to report a problem with a thing, in words; null where there is no such time. */
type InspectionTime = { hours: number; shortest: string; longer: string } | null;

/** A question as it is written here. An answer may depend on the time to inspect. */
interface WrittenQuestion extends Omit<HelpQuestion, "answer"> {
  answer: readonly string[] | ((inspection: InspectionTime) => readonly string[]);
}

const QUESTIONS: readonly WrittenQuestion[] = [
  {
    id: "protection",
    group: "Paying and your money",
    question: "How am I protected when I pay?",
    answer: (inspection) => [
      "You pay by M-Pesa on Chuoni, and we hold your money. The seller doesn't have it yet.",
      inspection
        ? "We pay the seller when they enter your handover code, when you say that everything is OK, or when your time to report a problem is over."
        : "We pay the seller when they enter your handover code, or when they mark the item as delivered.",
      `If the item isn't handed over or shipped within ${SHIP_DAYS}, we cancel it and you get all your money back.`,
      "All this holds for what you pay on Chuoni. We can't get back what you send to somebody directly.",
    ],
    links: [PROTECTION],
    words: "safe secure escrow trust hold held guarantee con salama ulinzi buyer protection",
  },
  {
    id: "paying",
    group: "Paying and your money",
    question: "How do I pay?",
    answer: [
      "By M-Pesa. Enter your number at checkout. A prompt appears on that phone: type your M-Pesa PIN there, and nowhere else. We never see it.",
      `The order waits ${periodText(UNPAID_ORDER_LIFE_MS / HOUR_MS)} for its payment. Other buyers can still buy the same thing until you ask for the prompt.`,
    ],
    links: [{ label: "Cart", to: "/cart" }, MY_ORDERS],
    words: "mpesa lipa payment checkout stk pin till paybill cash card how to buy",
  },
  {
    id: "no-prompt",
    group: "Paying and your money",
    question: "No M-Pesa prompt came, or my payment failed",
    answer: [
      "Check that the phone is on and has network, and that the number is right. The checkout says what M-Pesa told us.",
      "No prompt ever comes? The SIM may be too old to show it. Dial *234# and choose the update of the SIM, or ask at a Safaricom shop for a new one. Until then, pay from another number.",
      `You can choose to use a different number while the prompt is open. The same phone isn't asked again within ${RESERVATION_MS / MINUTE_MS} minutes, so that you don't pay twice.`,
      "If both payments go through after all, one counts and the other goes back to the number that paid it.",
    ],
    links: [MY_ORDERS],
    words:
      "stk push failed declined cancelled timeout insufficient prompt error again twice double paid imekataa different number",
  },
  {
    id: "limits",
    group: "Paying and your money",
    question: "How much can I pay at once?",
    answer: [
      `${formatKes(PAYMENT_LIMITS.min)} to ${formatKes(PAYMENT_LIMITS.max)}, in whole shillings: M-Pesa takes no more in one payment. Order the rest separately.`,
      `One order holds up to ${QUANTITY_MAX} pieces of a listing, and up to ${WHOLESALE_QUANTITY_MAX.toLocaleString("en")} of a wholesale listing.`,
    ],
    links: [],
    words: "limit maximum minimum most amount large big order pieces quantity",
  },
  {
    id: "checking-payment",
    group: "Paying and your money",
    question: "Why do you check my payment?",
    answer: [
      "M-Pesa told us something that doesn't match your order, such as another amount. Please don't pay again.",
      "Our team compares it with M-Pesa, and then either confirms your order or gives the money back. The order page shows it, and you get an email.",
    ],
    links: [MY_ORDERS],
    words: "checking being checked pending stuck held payment review processing",
  },
  {
    id: "refunds",
    group: "Paying and your money",
    question: "How do I get my money back?",
    answer: [
      "You get all of it when an item is cancelled, or when its seller or our team refunds it after a problem. You can also agree with the seller on a part.",
      "It goes to the M-Pesa number that paid. We email you when we have sent it.",
      "The order has “Where is my money?”: what has happened to it, where it is now, and what happens next.",
    ],
    links: [MY_ORDERS, { label: "Can I cancel?", to: "/help/cancel" }],
    words: "refund refunded return reversal reverse money back rudisha rudishiwa pesa late waiting",
  },
  {
    id: "code",
    group: "Getting your item",
    question: "What is the handover code?",
    answer: [
      `Your order page shows ${CODE_DIGITS} digits, also as a QR code. When you hold the item and it's fine, give the code to the seller. They enter it, and we pay them at once.`,
      "So check the item first, and never send the code in a message or tell it on the phone. Our team never asks for it.",
      `After ${WRONG_CODES_MAX} wrong tries the code of that item is closed. The seller then marks the item as delivered instead.`,
    ],
    links: [MY_ORDERS],
    words: "handover digits number qr six otp namba kodi give code show scan wrong",
  },
  {
    id: "no-code",
    group: "Getting your item",
    question: "What if the seller marks it as delivered without my code?",
    answer: (inspection) => [
      inspection
        ? `Then you have at least ${inspection.shortest} to check a thing; rooms, tickets, services and food have times of their own. Say that everything is OK, or report a problem, on the order page. If you do nothing, we pay the seller when the time is over.`
        : "Then we pay the seller. So take the item and give the code at the same moment.",
      ...(inspection ? [`For a thing it is ${inspection.longer}.`] : []),
    ],
    links: [MY_ORDERS, KINDS],
    words: "delivered without code inspection time check hours marked",
  },
  {
    id: "kinds",
    group: "Getting your item",
    question: "What about a room, a ticket, a service or food?",
    answer: (inspection) => [
      "We hold your money in the same way. What differs is when you give your code, and how much time there is:",
      ...HANDOVERS.filter((handover) => handover !== "thing").map((handover) => kindAnswer(handover, inspection)),
    ],
    links: [MY_ORDERS, PROTECTION],
    words:
      "room hostel rent deposit key house ticket event gate concert service haircut salon food meal lunch time chumba",
  },
  {
    id: "not-arrived",
    group: "Getting your item",
    question: "My item hasn't arrived",
    answer: [
      `Message the seller from the order page first. If the item isn't handed over or shipped within ${SHIP_DAYS} of your payment, we cancel it and you get all your money back.`,
      `If it was shipped, you can report that it hasn't arrived from ${periodText(HANDOVER_TERMS.thing.arrival)} after shipping. After ${periodText(DEAL_HOURS.shipment)} our team looks into it by itself.`,
    ],
    links: [MY_ORDERS],
    words: "arrive late missing lost never came where delivery shipped sijapata haijafika not received",
  },
  {
    id: "problem",
    group: "Getting your item",
    question: "The item is broken or isn't what I ordered",
    answer: (inspection) => [
      "Meeting in person? Don't take it and don't give your code. Ask the seller to cancel on the order page.",
      inspection
        ? `Marked as delivered already? Use “Report Issue” on the order page within your time, for a thing at least ${inspection.shortest}, with photos if you can. The money stays with us until it's settled.`
        : "Do you have it without giving your code? Use “Report Issue” on the order page.",
      `The seller has ${periodText(DEAL_HOURS.answerProblem)} to answer, and can refund all of it, offer a part, or say why they don't agree. If they don't agree or don't answer, or you two don't settle it within ${periodText(DEAL_HOURS.agree)}, our team hears both sides and decides.`,
    ],
    links: [MY_ORDERS, KINDS],
    words:
      "problem fake damaged broken wrong different faulty not as described dispute complain issue mbovu imeharibika",
  },
  {
    id: "cancel",
    group: "Getting your item",
    question: "Can I cancel an order?",
    answer: [
      "Yes, on the order page, until you agree to the handover. You get all your money back.",
      `After that, ask the seller there. If they don't answer within ${periodText(DEAL_HOURS.answerCancel)}, we cancel the item. Once it's shipped, it can't be cancelled.`,
      "An order that you haven't paid needs no cancelling: it ends by itself.",
    ],
    links: [MY_ORDERS],
    words: "cancel cancellation change mind stop undo order ghairi",
  },
  {
    id: "seller-silent",
    group: "Getting your item",
    question: "The seller doesn't answer",
    answer: [
      "We remind them of a paid order. You can cancel until you agree to the handover, and get all your money back.",
      `Do nothing, and we cancel it ${SHIP_DAYS} after your payment.`,
    ],
    links: [MY_ORDERS, { label: "Messages", to: "/profile?tab=messages" }],
    words: "seller silent no reply answer ignore respond response message hajibu",
  },
  {
    id: "meeting",
    group: "Getting your item",
    question: "Where do we meet?",
    answer: [
      "On the order page either of you suggests a place and a time, and the other accepts. You can choose one of the campus's meeting points. Those that are guarded come first: a guard or a camera is there. At checkout you can suggest one right away.",
      "Some campuses ask that you hand over at one of their meeting points. Their sellers don't deliver, and the form offers only these points.",
      `The time is at least ${MEETING_MIN_AHEAD_MS / MINUTE_MS} minutes ahead. Both get an email an hour before.`,
      `They didn't come? From ${MEETING_LASTS} after the time on you can say so on the order page. It counts on their page, unless they say that they were there.`,
      "Meet in a public place, by day if you can, and check the item before you give your code.",
    ],
    links: [MY_ORDERS],
    words:
      "meet meeting place point pickup campus collect gate guard guarded camera safe salama wapi kukutana time suggest",
  },
  {
    id: "delivery",
    group: "Getting your item",
    question: "Can it be delivered?",
    answer: [
      "Choose delivery at checkout where every seller of the order offers it. We add nothing to the price for it.",
      "The seller sees your address only while the order is under way.",
    ],
    links: [],
    words: "deliver delivery ship shipping send bring courier hostel address fee cost free",
  },
  {
    id: "offers",
    group: "Finding and buying",
    question: "How do offers work?",
    answer: [
      `Where the seller takes offers, the product has a button for it. Offer whole shillings from ${formatKes(OFFER_MIN)} and below the price, for one piece.`,
      `The seller has ${periodText(OFFER_HOURS.open)} to accept, decline or name another price. An accepted offer keeps the piece for you for ${periodText(OFFER_HOURS.accepted)}: pay in that time.`,
      `You can have ${OPEN_OFFERS_MAX} offers waiting for an answer, and make ${OFFERS_A_DAY} a day for one listing.`,
    ],
    links: [],
    words: "offer bargain negotiate haggle price lower discount counter punguza bei",
  },
  {
    id: "looking-for",
    group: "Finding and buying",
    question: "Nobody sells what I'm looking for",
    answer: [
      "Search for it and tap “Tell me when one is listed”. We tell you when somebody lists it.",
      "In Saved Searches, “Ask Who Has One” makes a link for your class groups. It says what you look for and your campus, never your name. Whoever has one lists it with a few taps. You can stop sharing at any time.",
    ],
    links: [{ label: "Saved searches", to: "/saved-searches" }],
    words: "looking for wanted need find saved search alert tell me nobody sells ask group whatsapp natafuta nahitaji",
  },
  {
    id: "sold-out",
    group: "Finding and buying",
    question: "It's sold out, or somebody is paying for it",
    answer: [
      `While a buyer pays, the piece is kept for them for about ${RESERVATION_MS / MINUTE_MS} minutes. Try again after that.`,
      `On the product's page you can ask to be told when it's available again, for up to ${WAITS_MAX} products. The first who pays gets it.`,
    ],
    links: [],
    words: "sold out stock available reserved waiting list notify alert back gone imeisha",
  },
  {
    id: "reviews",
    group: "Finding and buying",
    question: "How do reviews work?",
    answer: [
      `After a deal, buyer and seller can review each other for ${WRITE_DAYS} days. Neither sees the other's review before both have written. One that stays alone is published after ${PUBLISH_DAYS} days.`,
      `You can change yours for ${EDIT_HOURS} hours, until it is published. A rating shows once ${RATED_FROM} people have reviewed a seller.`,
    ],
    links: [],
    words: "review rating stars feedback rate comment new seller",
  },
  {
    id: "verified",
    group: "Finding and buying",
    question: "What does the verified badge mean?",
    answer: [
      "That we have checked something about the person: a student ID, a university email or a business document. It's no promise about an item.",
    ],
    links: [{ label: "What verified means", to: "/verified" }],
    words: "verified badge tick student id business trust check",
  },
  {
    id: "selling",
    group: "Selling",
    question: "How do I start selling?",
    answer: [
      "Open My Shop and add a product: a name, a price, a condition and a photo. Before your first listing we ask for the M-Pesa number that gets your money.",
      "If you have written a post for WhatsApp already, paste all of it into the name. We fill in the form from it, without your number.",
      "Listing is free. If a service fee is taken when it sells, you read it beside the price. Plans only move your shop up.",
    ],
    links: [{ label: "Add a product", to: "/add-product" }, MY_SHOP],
    words: "sell selling seller list listing post paste whatsapp product shop start fee commission charge kuuza",
  },
  {
    id: "fee",
    group: "Selling",
    question: "What is the service fee?",
    answer: [
      "What Chuoni may take of a sale: a share of the price, from the seller or from the buyer. Sellers read it where they set a price, buyers on the product's page, in the cart and at checkout. Where you read nothing of it, there is none.",
      "An order keeps the fee that it was placed with. If the sale is cancelled or refunded, nothing is taken, and what the buyer paid of it goes back.",
    ],
    links: [],
    words: "service fee commission charge percent share cost take deduct ada makato",
  },
  {
    id: "paid",
    group: "Selling",
    question: "When do I get paid?",
    answer: (inspection) => [
      "At once when you enter the buyer's handover code: ask for it when they have the item. If you hand over only against the code, you're always paid.",
      inspection
        ? `Without the code, mark the item as delivered. We pay you when the buyer says that everything is OK, or when their time to report a problem is over: ${inspection.shortest} for a thing, or ${inspection.longer}. Rooms, tickets, services and food have times of their own.`
        : "Without the code, mark the item as delivered, and we pay you then.",
      "The money goes to the M-Pesa number in your settings.",
    ],
    links: [MY_MONEY, KINDS],
    words: "paid payout money when receive withdraw withdrawal earn nitalipwa lini escrow release",
  },
  {
    id: "payout-waiting",
    group: "Selling",
    question: "My money hasn't come",
    answer: [
      "My Money says of each sale where the money is, why, and until when. On the sale, “Where is my money?” says all that has happened to it.",
      "It waits while a buyer can still report a problem, while our team looks at a report, and when M-Pesa refused your number. A wrong number you can mend in Settings; what our side must mend, our team is told of.",
    ],
    links: [MY_MONEY, SETTINGS],
    words: "payout missing late not received parked waiting held stuck pending failed wrong number pesa haijafika",
  },
  {
    id: "payout-number",
    group: "Selling",
    question: "How do I change the number that gets my money?",
    answer: [
      "In Settings. While money is on its way to you, the change needs your password. We email you about it, and your payouts then wait for 24 hours, so that nobody who gets into your account can take the money.",
    ],
    links: [SETTINGS],
    words: "change mpesa phone number payout new line sim",
  },
  {
    id: "helper",
    group: "Selling",
    question: "Can somebody else hand it over for me?",
    answer: [
      "Yes, if it's a thing, food or a ticket. Agree on a meeting, then open “Does somebody else hand it over?” on the page of the sale, and make a link for them. It works on the meeting's day, without an account.",
      `They see what it is, the place, the time and first names, and enter the buyer's code. The money comes to you, as always. After ${WRONG_CODES_MAX} wrong tries the code is closed.`,
    ],
    links: [MY_SHOP],
    words: "somebody else friend roommate hand over link helper brother sister rafiki code absent",
  },
  {
    id: "leaving",
    group: "Selling",
    question: "I'm going home. What do I do with my things?",
    answer: [
      "List each thing by itself, with a photo and a price, and share your shop's link in your groups: it shows all that you sell. Near the semester's end, Home leads your whole campus to what is leaving.",
      "Away for some weeks? In Shop Settings choose the last day of a holiday, and nobody can order before it is over. Paid sales go on, with their times: hand them over before you go, or let somebody else do it.",
    ],
    links: [
      { label: "Add a product", to: "/add-product" },
      { label: "Shop Settings", to: "/myshop/settings" },
      { label: "Can somebody else hand it over for me?", to: "/help/helper" },
    ],
    words:
      "going home leaving leave semester term end clear out clearout moving away holiday pause shop close break many things likizo",
  },
  {
    id: "buyer-silent",
    group: "Selling",
    question: "The buyer doesn't answer or doesn't come",
    answer: [
      `Message them from the order page, and suggest a place and a time. If they leave your message unanswered for ${periodText(DEAL_HOURS.buyerSilence)}, you can cancel without a trace in your record.`,
      `Did you agree on a meeting, and they didn't come? From ${MEETING_LASTS} after its time on, “They Didn't Come” is on the page of the sale. You can then cancel without a trace, too. From ${MEETINGS_SHOWN_FROM} meetings on, their page says how many they missed.`,
      "Never hand the item to somebody without their code, and don't mark it as delivered before they have it.",
    ],
    links: [MY_SHOP],
    words: "buyer silent no show reply answer ignore cancel sale missed",
  },
  {
    id: "allowed",
    group: "Selling",
    question: "What may be sold?",
    answer: [
      "What is yours, legal and safe: books, phones, clothes, furniture, food, services. Describe it honestly and keep the price you post.",
      "Not allowed: stolen goods, weapons, drugs, exam leaks, fakes sold as originals, and anything else that is illegal or unsafe.",
      "Nor what universities forbid: rooms of their halls, and assignments, theses or exams done for somebody else. Tuition, printing and binding are fine.",
      "Many halls also forbid cookers and heaters in rooms, and selling at doors. You may sell a cooker here: ask your hall before you buy one.",
    ],
    links: [{ label: "Terms of Service", to: "/terms" }],
    words:
      "allowed prohibited forbidden banned illegal may sell items rules alcohol weapons drugs exam fake assignment thesis hall hostel room cooker heater",
  },
  {
    id: "listing-checked",
    group: "Selling",
    question: "Why isn't my listing shown yet?",
    answer: [
      "It has a word or a category that may not be sold, so our team looks at it first. Often it's fine. You get an email when it's published, or when we take it down, with the reason.",
    ],
    links: [MY_SHOP],
    words: "held look checked review listing hidden not showing pending approve approval",
  },
  {
    id: "new-account",
    group: "Selling",
    question: "Why can I post only a few listings?",
    answer: [
      `Until its email is confirmed and it is ${periodText(NEWCOMER_MS / HOUR_MS)} old, an account can post ${NEWCOMER_MAX.listings} listings and send ${NEWCOMER_MAX.firstMessages} first messages or offers to strangers. Scammers use new accounts, so new accounts can do less.`,
      "Verified students and businesses don't have these limits.",
    ],
    links: [{ label: "What verified means", to: "/verified" }],
    words: "limit new account listings messages too many newcomer day",
  },
  {
    id: "plans",
    group: "Selling",
    question: "What do the plans do?",
    answer: [
      "A plan puts your shop first among the featured shops on everyone's Home. You can sell just as well without one.",
      `${Object.values(PLANS)
        .map(({ name, price }) => `${name}: ${formatKes(price)}.`)
        .join(" ")} A plan ends by itself: nothing is renewed.`,
    ],
    links: [{ label: "Plans", to: "/subscription" }],
    words: "plan subscription featured premium pro boost promote advertise price",
  },
  {
    id: "invite",
    group: "Selling",
    question: "What do I get for bringing a friend?",
    answer: [
      "A week in which your shop is featured, and your friend gets one, too. It begins when your friend has signed up by your link and their first deal has ended with the handover code.",
      "A deal with you or with another friend of yours doesn't count, and the friend's M-Pesa number must be theirs alone. With nothing for sale, your week waits for your next listing.",
    ],
    links: [{ label: "Bring a friend", to: "/invite" }],
    words: "invite invitation friend refer referral link share free week featured bring",
  },
  {
    id: "stolen",
    group: "Staying safe",
    question: "Is this phone or laptop stolen?",
    answer: [
      "Ask for its serial number before you buy: on a phone, dial *#06#. We say whether somebody has reported it here. Ask for the receipt, too.",
      "If yours was stolen and you're a verified student, report its serial number with a proof. We hold what is for sale with it until our team has looked at it.",
      "If we find nothing wrong with a listing, it comes back, and your report stands for all others. We suspend whoever makes a false report, and theirs counts no more.",
    ],
    links: [{ label: "Ask or report", to: "/serials" }],
    words: "stolen theft thief lost serial imei number phone laptop tablet police abstract ob ibiwa imeibiwa wizi simu",
  },
  {
    id: "scams",
    group: "Staying safe",
    question: "How do I spot a scam?",
    answer: [
      "Somebody asks you to pay to a till or a number directly, or “before I hold it for you”. There is no viewing fee, ever, and no fare of a boda first. Somebody asks for your handover code before you have the item. The price is far too low, and it must be now.",
      "You sell? A message from M-Pesa or a screenshot is no payment: people fake them. You're paid when the page of your sale says so. Money “sent by mistake” is never yours to send back, and nobody needs to borrow your phone.",
      "Pay on Chuoni only, meet in public, check the item, and then give the code. Nothing that they say changes this.",
    ],
    links: [PROTECTION, { label: "How to report", to: "/help/report" }],
    words:
      "viewing fee screenshot sms fake reverse mistake borrow phone scam scammer fraud fraudster con cheat thief tapeli utapeli suspicious fake outside deposit",
  },
  {
    id: "paid-outside",
    group: "Staying safe",
    question: "I paid outside Chuoni. Can you help?",
    answer: [
      "We can't get that money back, because it never came to us. Ask Safaricom at once whether they can reverse it.",
      "Report the person to us as well, so that we can stop them. Our team then reads the messages that you report.",
    ],
    links: [{ label: "How to report", to: "/help/report" }],
    words: "outside direct till paybill sent money seller scammed robbed reversal",
  },
  {
    id: "reversal",
    group: "Staying safe",
    question: "Can a buyer reverse the payment after they have the item?",
    answer: [
      "No. They paid us, not you. When your page says that the code is right, the money is yours, and neither the buyer nor Safaricom can take it back.",
      "That holds only for what was paid on Chuoni. Money that comes to your own number or till can be reversed.",
    ],
    links: [PROTECTION, MY_MONEY],
    words: "reversal reverse chargeback undo take back rudisha safaricom 456 call customer care after collection",
  },
  {
    id: "team",
    group: "Staying safe",
    question: "Somebody says they're from Chuoni",
    answer: [
      "Our team never asks for your M-Pesa PIN, your password or your handover code, and never asks you to send money. Whoever does isn't from us.",
      "Report the message or the person.",
    ],
    links: [{ label: "How to report", to: "/help/report" }],
    words: "support agent staff admin impersonate pin password call whatsapp safaricom pretend",
  },
  {
    id: "report",
    group: "Staying safe",
    question: "How do I report a person, a listing or a message?",
    answer: [
      "Where you see it: the listing, the review, the seller's page and the conversation each have a way to report. The other side never learns who reported.",
      "Something you paid for? Report it on the order page: while we hold the money, that also stops it. You can block a person in the conversation, too.",
      "If somebody is in danger, call 999 or 112 first.",
    ],
    links: [],
    words: "report block harassment abuse threat spam complain danger person listing message ripoti",
  },
  {
    id: "confirmation-email",
    group: "Your account",
    question: "The confirmation email didn't come",
    answer: [
      "Look in the spam folder, then send it again. The link works for 24 hours.",
      "Typed the address wrong? In the browser you signed up with, “Check Your Email” has a link to change it.",
    ],
    links: [{ label: "Check Your Email", to: "/auth/check-email" }],
    words: "confirm confirmation email verify link spam sign up signup resend wrong address typo",
  },
  {
    id: "login",
    group: "Your account",
    question: "I can't log in",
    answer: [
      `Forgot your password? We email you a link to choose a new one, with at least ${PASSWORD_MIN_LENGTH} characters. The link works once, for ${periodText(RESET_LINK_LIFE_MS / HOUR_MS)}.`,
      `After ${SIGN_IN_TRIES} wrong passwords, logins pause for ${SIGN_IN_PAUSE_MS / MINUTE_MS} minutes. The link lets you in meanwhile.`,
    ],
    links: [{ label: "Get a link", to: "/auth/forgot" }],
    words: "login log in sign in password forgot reset locked nimesahau access",
  },
  {
    id: "age",
    group: "Your account",
    question: "How old must I be?",
    answer: [
      `${MIN_AGE}. In Kenya, what somebody younger buys or sells may not bind them, and their data needs a parent's consent, which we can't check.`,
      "Not there yet? You can look at everything that is for sale without an account.",
    ],
    links: [{ label: "Terms of Service", to: "/terms" }],
    words: "age old young minor under 17 18 first year fresher parent umri miaka",
  },
  {
    id: "taken-down",
    group: "Your account",
    question: "My listing was taken down, or my account is suspended",
    answer: [
      `The email about it says why, and has a link to appeal: once, within ${APPEAL_DAYS} days, also without a login. Somebody of our team who didn't decide before answers, if there is one.`,
    ],
    links: [],
    words: "suspended banned removed taken down appeal account closed warning unfair",
  },
  {
    id: "delete-account",
    group: "Your account",
    question: "How do I delete my account?",
    answer: [
      "At the end of Settings, once no money is under way and no report about your orders is open. We erase your name, phone, documents and messages. Orders stay in our books without your name.",
    ],
    links: [SETTINGS, { label: "Privacy Policy", to: "/privacy" }],
    words: "delete close remove account data privacy leave futa",
  },
  {
    id: "my-data",
    group: "Your account",
    question: "What do you know about me?",
    answer: [
      "Download everything as one file in Settings, under My data. The Privacy Policy says why we keep it, for how long and who else gets some of it.",
      "Something is wrong, or you object? Correct it in Settings, or write to us.",
    ],
    links: [
      { label: "My data", to: "/profile?tab=settings&section=my-data" },
      { label: "Privacy Policy", to: "/privacy" },
    ],
    words: "data privacy copy export download gdpr odpc rights personal information siri",
  },
  {
    id: "data",
    group: "Your account",
    question: "How do I use less mobile data?",
    answer: ["Switch on Data saver in Settings. Photos are then smaller, and more loads only when you ask for it."],
    links: [SETTINGS],
    words: "data saver bundles mb megabytes slow internet photos",
  },
];

/** `inspectionHours`: how long a buyer can report a problem after delivery; 0 where there is no such time. */
export function helpQuestions({ inspectionHours }: { inspectionHours: number }): readonly HelpQuestion[] {
  const inspection = inspectionTime(inspectionHours);
  return QUESTIONS.map(({ answer, ...question }) => ({
    ...question,
    answer: typeof answer === "function" ? answer(inspection) : answer,
  }));
}

/** When to give the code, by when it must happen, and how long one can report a problem without it. */
function kindAnswer(handover: Handover, inspection: InspectionTime): string {
  const { plural, fine, missed } = HANDOVER_WORDS[handover];
  const code = `${plural}: give your code when ${fine("it")}.`;
  const back = `If ${missed("it", "isn't")} within ${withinText(handover)} of your payment, you get all your money back.`;
  if (!inspection) return `${code} ${back}`;
  const { done } = HANDOVER_MARKS[handover];
  const time = checkText(handover, inspection.hours);
  return `${code} ${back} Marked as ${done} without your code? You can report a problem ${time === "until the next morning" ? time : `for ${time}`}.`;
}

function inspectionTime(hours: number): InspectionTime {
  if (hours <= 0) return null;
  return {
    hours,
    shortest: periodText(hours),
    longer: `${periodText(2 * hours)} while the seller has sold to fewer than ${NEW_SELLER_BUYERS} buyers, for items above ${formatKes(UNVERIFIED_LIMIT)} from a seller who isn't verified by a document, and while we hold payouts because the seller's M-Pesa number changed`,
  };
}
