/**
 * What people call the steps of a deal, by the kind of thing. Whatever is said of an order, a sale or a listing reads
 * it here; a new kind is a row. Pure. It is long, so no screen's script may load it: the server sends what it needs.
 */
import type { Handover } from "#app/db/states/handover.ts";

export interface HandoverWords {
  /** As it begins a sentence of Help. */
  plural: string;
  /** What the two agree on. */
  name: string;
  /** It didn't happen. `it`: "it", "It" or its name at the beginning; `not`: "isn't" or "wasn't". */
  missed: (it: string, not: string) => string;
  /** When a buyer gives the code. `it`: "it", "the item" or its name. */
  fine: (it: string) => string;
  /** What the seller waits for. `who`: "you", "they" or a name; `it` as above. */
  has: (who: string, it: string) => string;
  /** The buyer's answer to that. */
  lacks: string;
  /** The next steps, once the two have agreed. */
  collect: (seller: string) => string;
  handOver: (buyer: string) => string;
  await: (Seller: string) => string;
  bring: (buyer: string) => string;
  /** What a seller who brings it can do instead. */
  ifSent: readonly string[];
  /** The same in a list. */
  short: { collect: string; handOver: string; await: string; bring: string; sent: string };
  /** What a buyer does before they give the code. */
  first: string;
  /** What somebody does who has the seller's link. */
  byLink: {
    title: (name: string, buyer: string) => string;
    /** Before and after they ask for the code. */
    first: (buyer: string) => string;
    last: string;
    /** Once it is right, and whenever they come back. */
    right: string;
    done: string;
  };
  /** What a seller can do once the buyer agrees. */
  can: string;
  /** A seller is reminded. */
  please: string;
  /** For a seller whose sale is cancelled. */
  dont: string;
  /** What the buyer reads once its seller has marked it as sent. `what`: its name. */
  wasSent: (Seller: string) => string;
  isSent: (what: string) => string;
  /** When a seller who can't enter the code marks it so. */
  sending: { ask: string; text: string };
  /** After a refund: how it comes back. Null where nothing does. */
  back: Record<"buyer" | "seller", [string]> | null;
  /** It happened: a step of the progress, and the heading of an email. */
  ended: string;
  /** The picture of the right code, for its buyer. */
  celebration: string;
  /** The button below the code, and why it matters. */
  confirm: string;
  against: string;
  /** How one gets it, on its page. */
  place: (campus: string | null, delivers: boolean) => string;
  /** What our promise says there. */
  promise: string;
  /** A line of the checkout and the receipt; null where nothing is to say. */
  receipt: string | null;
  /** What the paper is called. */
  paper: string;
  /** What stands before its name among a year's receipts. */
  receiptName: string;
}

const THING: HandoverWords = {
  plural: "Things",
  name: "the handover",
  missed: (it, not) => `${it} ${not} handed over or shipped`,
  fine: (it) => `you have ${it} and it's fine`,
  has: (who, it) => `${who} ${have(who)} ${it}`,
  lacks: "you don't have it",
  collect: (seller) => `Collect it from ${seller} as you agreed`,
  handOver: (buyer) => `Hand it over to ${buyer}, then enter their code`,
  await: (Seller) => `${Seller} brings or sends it to you`,
  bring: (buyer) => `Bring it to ${buyer}, and ask for the code`,
  ifSent: ["If you send it instead, mark it as shipped."],
  short: {
    collect: "Ready to collect",
    handOver: "Ready to hand over",
    await: "The seller brings or sends it",
    bring: "Ready to bring or send",
    sent: "On its way to you",
  },
  first: "Check it first.",
  byLink: {
    title: (name) => `Hand over ${name}`,
    first: (buyer) => `Let ${buyer} look at it first.`,
    last: "Give it away only when the code is accepted.",
    right: "You can hand it over now.",
    done: "It's handed over",
  },
  can: "hand it over or send it",
  please: "Please hand it over",
  dont: "Don't hand it over.",
  wasSent: (Seller) => `${Seller} has sent it to you`,
  isSent: (what) => `${what} is on its way`,
  sending: { ask: "Do you send it instead?", text: "Mark it as shipped when it's on its way." },
  back: {
    buyer: ["Do you have the item? Agree with the seller how they get it back."],
    seller: ["Does the buyer have the item? Agree with them how you get it back."],
  },
  ended: "Handed over",
  celebration: "It's yours!",
  confirm: "Confirm Handover",
  against: "Hand over only against the code, and we pay you at once.",
  place: (campus, delivers) =>
    `${campus === null ? "Pickup on campus" : `Pickup at ${campus}`}${delivers ? ", or the seller delivers" : ""}`,
  promise: "We hold your money until you have it",
  receipt: null,
  paper: "Receipt",
  receiptName: "",
};

export const HANDOVER_WORDS: Record<Handover, HandoverWords> = {
  thing: THING,
  food: {
    ...THING,
    plural: "Food",
    missed: (it, not) => `${it} ${not} handed over`,
    fine: (it) => `you have ${it === "the item" ? "the food" : it} and it's fine`,
    has: (who, it) => `${who} ${have(who)} ${it === "the item" ? "the food" : it}`,
    await: (Seller) => `${Seller} brings it to you`,
    ifSent: ["If somebody else brings it, mark it as on its way."],
    short: { ...THING.short, await: "The seller brings it", bring: "Ready to bring" },
    first: "Check it at once.",
    can: "hand it over",
    sending: { ask: "Does somebody else bring it?", text: "Mark it as on its way when it leaves." },
    back: null,
    celebration: "Enjoy it!",
    promise: "We hold your money until you have the food",
    receipt: "The seller is paid once you have the food.",
  },
  service: {
    ...THING,
    plural: "Services",
    name: "the meeting",
    missed: (it, not) => `${it} ${not} done`,
    fine: () => "it's done and you're happy with it",
    has: (_, it) => (it === "it" || it === "the item" ? "it's done" : `${it} is done`),
    lacks: "it isn't done",
    collect: (seller) => `Meet ${seller} as you agreed`,
    handOver: (buyer) => `Do it for ${buyer}, then enter their code`,
    await: (Seller) => `${Seller} comes to you`,
    bring: (buyer) => `Go to ${buyer}, and ask for the code when it's done`,
    ifSent: [],
    short: {
      collect: "Agreed",
      handOver: "Ready to start",
      await: "The seller comes to you",
      bring: "Ready to go there",
      sent: "Started",
    },
    first: "See that it's done well.",
    can: "do it",
    please: "Please agree on a time",
    dont: "Don't do it.",
    wasSent: (Seller) => `${Seller} has started`,
    isSent: (what) => `${what} has started`,
    sending: { ask: "Can't you enter the code?", text: "Mark it as started first. Once it's done, mark it as done." },
    back: null,
    ended: "Done",
    celebration: "It's done!",
    confirm: "Confirm It's Done",
    against: "Ask for the code as soon as it's done, and we pay you at once.",
    place: (campus, delivers) =>
      `${campus === null ? "On campus" : `At ${campus}`}${delivers ? ", or the seller comes to you" : ""}`,
    promise: "We hold your money until it's done",
    receipt: "The seller is paid once it's done.",
  },
  ticket: {
    ...THING,
    plural: "Tickets",
    name: "the meeting at the gate",
    missed: (it, not) => `${it} ${not} used at the gate`,
    fine: () => "you're inside the gate",
    has: (who) => `${who} ${who === "you" || who === "they" ? "are" : "is"} inside the gate`,
    lacks: "you aren't inside the gate",
    collect: (seller) => `Meet ${seller} at the gate as you agreed`,
    handOver: (buyer) => `Bring ${buyer} inside the gate, then enter their code`,
    await: (Seller) => `${Seller} meets you at the gate`,
    bring: (buyer) => `Bring ${buyer} inside the gate, and ask for the code`,
    ifSent: [],
    short: {
      collect: "Ready for the gate",
      handOver: "Ready for the gate",
      await: "Ready for the gate",
      bring: "Ready for the gate",
      sent: "Ready",
    },
    first: "Go in first.",
    byLink: {
      title: (name, buyer) => `${name}: bring ${buyer} inside the gate`,
      first: (buyer) => `Go inside together with ${buyer}.`,
      last: "Stay with them until the code is accepted.",
      right: "That's all. Thank you.",
      done: "They're inside the gate",
    },
    can: "meet you at the gate",
    please: "Please agree where you meet",
    dont: "Don't hand over the ticket.",
    wasSent: (Seller) => `${Seller} says that your ticket is ready`,
    isSent: (what) => `${what} is ready`,
    sending: {
      ask: "Can't you enter the code?",
      text: "Mark it as ready first. Once the buyer is inside the gate, mark it as used.",
    },
    back: null,
    ended: "Inside the gate",
    celebration: "You're in!",
    confirm: "Confirm Entry",
    against: "Ask for the code inside the gate, and we pay you at once.",
    place: () => "Meet the seller at the gate",
    promise: "We hold your money until you're inside the gate",
    receipt: "The seller is paid once you're inside the gate.",
  },
  room: {
    ...THING,
    plural: "Rooms",
    name: "the handover of the key",
    missed: (it, not) => `${it === "it" ? "the key" : it === "It" ? "The key" : `The key of ${it}`} ${not} handed over`,
    fine: () => "you hold the key",
    has: (who) => `${who} ${who === "you" || who === "they" ? "hold" : "holds"} the key`,
    lacks: "you don't hold the key",
    collect: (seller) => `Get the key from ${seller} as you agreed`,
    handOver: (buyer) => `Give ${buyer} the key, then enter their code`,
    await: (Seller) => `${Seller} brings you the key`,
    bring: (buyer) => `Bring ${buyer} the key, and ask for the code`,
    ifSent: [],
    short: {
      collect: "Ready for the key",
      handOver: "Ready to give the key",
      await: "The seller brings the key",
      bring: "Ready to bring the key",
      sent: "Ready",
    },
    first: "See the room and try the key first.",
    can: "give you the key",
    please: "Please hand over the key",
    dont: "Don't hand over the key.",
    wasSent: (Seller) => `${Seller} says that the key is ready`,
    isSent: (what) => `${what} is ready`,
    sending: {
      ask: "Can't you enter the code?",
      text: "Mark it as ready first. Once the buyer holds the key, mark it as handed over.",
    },
    back: {
      buyer: ["Do you have the key? Agree with the seller how they get it back."],
      seller: ["Does the buyer have the key? Agree with them how you get it back."],
    },
    ended: "Key handed over",
    celebration: "The key is yours!",
    confirm: "Confirm the Key",
    against: "Hand over the key only against the code, and we pay you at once.",
    place: (campus) => (campus === null ? "See the room first" : `Near ${campus}. See the room first`),
    promise: "We hold your deposit until you hold the key",
    receipt: "A deposit: it goes to the seller once you hold the key.",
    paper: "Deposit receipt",
    receiptName: "Deposit: ",
  },
};

function have(who: string): string {
  return who === "you" || who === "they" ? "have" : "has";
}
