/**
 * Between two people of whom one has blocked the other nothing new begins: no order, offer, meeting or waiting list.
 */

/** Who has blocked whom, for the reader: "mine" also where both have. */
export type Block = "mine" | "theirs";

/** A purchase that a block prevents. */
export interface BlockedSale {
  /** The product's name. */
  name: string;
  seller: string;
  block: Block;
}

/** For a buyer on the page of a product. */
export function productBlockedText({ seller, block }: Pick<BlockedSale, "seller" | "block">): string {
  return block === "mine"
    ? `You blocked ${seller}. Unblock them in your messages to buy this.`
    : "You can't buy from this seller. Others may have something like it.";
}

/** For a buyer whose order, cart or payment was refused. Names the line, because an order may have several. */
export function orderBlockedText({ name, seller, block }: BlockedSale): string {
  return block === "mine"
    ? `You blocked ${seller}, so you can't buy ${name}. Unblock them in your messages to buy it.`
    : `You can't buy ${name} from this seller. Others may have something like it.`;
}
