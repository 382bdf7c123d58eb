/** Offers on the demo campus: one that waits for its seller, and one that its buyer can pay. */
import type { OfferState } from "#app/db/states/offer.ts";
import { threadOf } from "#app/messaging/message-rules.ts";
import { offerExpiry } from "#app/offers/offer-rules.ts";
import { offerMessage, stepMessage } from "#app/offers/offer-texts.ts";
import { idOf } from "./chance.ts";
import { PEOPLE, type PersonName } from "./people.ts";
import { idOfPerson } from "./residents.ts";
import { HOUR, MINUTE, type Row } from "./rows.ts";
import type { Product } from "./stock.ts";
import { productNamed } from "./trade.ts";

interface DemoOffer {
  buyer: PersonName;
  seller: PersonName;
  about: string;
  /** KES. */
  amount: number;
  note: string;
  state: Extract<OfferState, "open" | "accepted">;
  hoursAgo: number;
}

const OFFERS: readonly DemoOffer[] = [
  {
    buyer: "buyer",
    seller: "kevin",
    about: "Study desk with two drawers",
    amount: 5_000,
    note: "I can collect it tomorrow with my roommate.",
    state: "accepted",
    hoursAgo: 3,
  },
  {
    buyer: "simiyu",
    seller: "seller",
    about: "HP EliteBook 840 G3, i5, 8 GB, 256 SSD",
    amount: 22_500,
    note: "",
    state: "open",
    hoursAgo: 2,
  },
];

/** The listings that take offers, and the lowest price that each seller accepts, in KES. */
const LOWEST_OFFERS: Partial<Record<string, number | null>> = {
  "Study desk with two drawers": 4_800,
  "HP EliteBook 840 G3, i5, 8 GB, 256 SSD": 22_000,
  "Electric guitar, beginner": null,
};

/** What offers change about a listing. An accepted one keeps a piece. */
export function offerSettings(name: string): Pick<Row<"products">, "takesOffers" | "lowestOffer" | "reserved"> {
  return {
    takesOffers: name in LOWEST_OFFERS,
    lowestOffer: LOWEST_OFFERS[name] ?? null,
    reserved: OFFERS.filter(({ about, state }) => about === name && state === "accepted").length,
  };
}

/** The offers, and their messages. */
export function negotiate(now: number, products: Product[]): { offers: Row<"offers">[]; messages: Row<"messages">[] } {
  const all = OFFERS.map((offer) => write(offer, now, products));
  return { offers: all.map(({ offer }) => offer), messages: all.flatMap(({ messages }) => messages) };
}

function write({ buyer, seller, about, amount, note, state, hoursAgo }: DemoOffer, now: number, products: Product[]) {
  const product = productNamed(about, products);
  if (product.sellerId !== idOfPerson(seller)) throw new Error(`${seller} doesn't sell "${about}"`);
  const id = idOf(`offer of ${buyer} for ${about}`);
  const createdAt = now - hoursAgo * HOUR;
  const updatedAt = state === "accepted" ? createdAt + 20 * MINUTE : createdAt;
  const offer = {
    id,
    productId: product.id,
    buyerId: idOfPerson(buyer),
    sellerId: product.sellerId,
    amount,
    state,
    expiresAt: offerExpiry(state, updatedAt) ?? updatedAt,
    createdAt,
    updatedAt,
  };
  const says = (from: PersonName, to: PersonName, text: string, at: number): Row<"messages"> => ({
    id: idOf(`message about ${id} at ${at}`),
    thread: threadOf(idOfPerson(from), idOfPerson(to)),
    senderId: idOfPerson(from),
    recipientId: idOfPerson(to),
    productId: product.id,
    offerId: id,
    kind: "offer",
    message: text,
    senderName: PEOPLE[from].fullName,
    recipientName: PEOPLE[to].fullName,
    read: true,
    createdAt: at,
  });
  const messages = [says(buyer, seller, offerMessage(amount, note), createdAt)];
  if (state === "accepted")
    messages.push(says(seller, buyer, stepMessage("seller_accepted", { amount, counterAmount: null }), updatedAt));
  return { offer, messages };
}
