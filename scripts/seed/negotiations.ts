/** Writes the demo offers, with their messages. */
import { threadOf } from "#app/messaging/message-rules.ts";
import { offerExpiry } from "#app/offers/offer-rules.ts";
import { offerMessage, stepMessage } from "#app/offers/offer-texts.ts";
import { idOf } from "./chance.ts";
import { type DemoOffer, OFFERS } from "./offers.ts";
import { PEOPLE, type PersonName } from "./people.ts";
import { idOfPerson } from "./residents.ts";
import { HOUR, MINUTE, type Row } from "./rows.ts";
import type { Product } from "./stock.ts";
import { productNamed } from "./trade.ts";

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
    listingPrice: product.price ?? 0,
    revision: 0,
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
