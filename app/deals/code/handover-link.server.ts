/**
 * The link by which somebody whom the seller asked hands an item over. It names the item, and is signed together with
 * the event that made it, so it needs no login and no row, and each link ends the one before. It lets nobody in.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { firstName } from "#app/accounts/trust/name-rules.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { publicProductName } from "#app/catalogue/browse/public-listings.server.ts";
import type { ShownImage } from "#app/catalogue/photos/image-sources.ts";
import { toShown } from "#app/catalogue/photos/to-shown.server.ts";
import { expectThat, read, tryWrite } from "#app/db/batch.ts";
import { build, hasRow, named } from "#app/db/build.ts";
import { takeAllowance } from "#app/db/rate-counters.ts";
import { stateIs } from "#app/db/state-is.ts";
import type { Handover } from "#app/db/states/handover.ts";
import { ITEM } from "#app/db/states/item.ts";
import { MEETING } from "#app/db/states/meeting.ts";
import { holdsFor, isHandoverLink } from "#app/deals/deal-facts.server.ts";
import { recordDealEvent } from "#app/deals/deal-records.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { type Deal, findDeal } from "#app/deals/find-deal.server.ts";
import { meetings, orderItems, orders } from "#app/orders/tables.server.ts";
import { withoutContacts } from "#app/safety/public-text-rules.ts";
import { type CodeResult, enterCode } from "./enter-code.server.ts";
import {
  type HandoverLink,
  type HandoverLinkState,
  handoverLinkState,
  isLive,
  linkDay,
} from "./handover-link-rules.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

interface LinkServices extends DealServices {
  passwordPepper: string;
}

/** How many links a seller can make for an item in a day. */
const LINKS_A_DAY = 10;

/** Where the link leads. Only somebody who knows `pepper` can write one. */
export function handoverPath(pepper: string, itemId: string, link: Pick<HandoverLink, "id">): string {
  return `/handover/${itemId}.${sign(pepper, itemId, link.id).toString("base64url")}`;
}

function sign(pepper: string, itemId: string, linkId: string): Buffer {
  return createHmac("sha256", pepper).update(`handover-link:${itemId}:${linkId}`).digest();
}

/** The deal of a link that is ours and that its seller hasn't ended; null for any other. */
async function dealOf(services: LinkServices, token: string): Promise<{ deal: Deal; link: HandoverLink } | null> {
  const parts = /^(?<itemId>[0-9a-f-]{36})\.(?<signature>[\w-]{43})$/.exec(token);
  const { itemId, signature } = parts?.groups ?? {};
  if (itemId === undefined || signature === undefined) return null;
  const deal = await findDeal(services, itemId);
  const link = deal?.handoverLink;
  if (!deal || !link) return null;
  const given = Buffer.from(signature, "base64url");
  const right = sign(services.passwordPepper, itemId, link.id);
  return given.length === right.length && timingSafeEqual(given, right) ? { deal, link } : null;
}

/** The item of a link that is ours and that its seller hasn't ended; null for any other. */
export async function linkedItem(services: LinkServices, token: string): Promise<string | null> {
  return (await dealOf(services, token))?.deal.id ?? null;
}

/**
 * What the page behind a link shows: the thing, the place and the time, and first names. Nobody's phone number, no
 * amount, and nothing that was written.
 */
export interface HandoverPage {
  state: HandoverLinkState;
  handover: Handover;
  name: string;
  image: ShownImage | null;
  /** Inside a sentence. */
  buyer: string;
  seller: string;
  /** Ms since 1970; null once the two have no time. */
  startsAt: number | null;
  /** Null while another place is suggested. */
  place: string | null;
}

const buyerRow = alias(profiles, "buyer_row");
const sellerRow = alias(profiles, "seller_row");

/** Null for a link that isn't ours, or that its seller has ended. */
export async function findHandover(services: LinkServices, token: string): Promise<HandoverPage | null> {
  const found = await dealOf(services, token);
  if (!found) return null;
  const { deal, link } = found;
  const [row] = await read(
    services.db,
    build
      .select({
        image: orderItems.productImage,
        place: meetings.place,
        ...named({ buyer: buyerRow.fullName, seller: sellerRow.fullName }),
      })
      .from(orderItems)
      .innerJoin(orders, eq(orders.id, orderItems.orderId))
      .leftJoin(buyerRow, eq(buyerRow.id, orders.userId))
      .leftJoin(sellerRow, eq(sellerRow.id, orderItems.sellerId))
      .leftJoin(meetings, and(eq(meetings.orderItemId, orderItems.id), stateIs(meetings.state, MEETING.isAccepted)))
      .where(eq(orderItems.id, deal.id)),
  );
  if (!row) return null;
  const state = stateOf(deal, link, services.now());
  const isShown = isLive(state);
  return {
    state,
    handover: deal.handover,
    name: publicProductName(deal.productName),
    image: row.image && toShown(row.image),
    buyer: firstName(row.buyer) || "the buyer",
    seller: firstName(row.seller) || "the seller",
    startsAt: isShown ? deal.turn.missed.agreedFor : null,
    place: isShown && row.place !== null ? withoutContacts(row.place) : null,
  };
}

function stateOf(deal: Deal, link: HandoverLink, now: number): HandoverLinkState {
  if (deal.isSellerGone) return "ended";
  return handoverLinkState(link, { ...deal, agreedFor: deal.turn.missed.agreedFor }, now);
}

/**
 * Whoever has the link enters the buyer's code, as the seller does: what follows, and what wrong codes count, is the
 * same. `deal`: null for a link that no longer works.
 */
export async function enterCodeByLink(
  services: LinkServices,
  { token, code }: { token: string; code: string },
): Promise<{ deal: Deal | null; result: CodeResult | { ok: false; code: "not_open" } }> {
  const found = await dealOf(services, token);
  if (!found) return { deal: null, result: { ok: false, code: "not_found" } };
  const { deal, link } = found;
  if (stateOf(deal, link, services.now()) !== "open") return { deal, result: { ok: false, code: "not_open" } };
  return {
    deal,
    result: await enterCode(services, { itemId: deal.id, sellerId: deal.seller.id, code, linkId: link.id }),
  };
}

export type LinkResult = { ok: true } | { ok: false; code: "not_found" | "not_open" | "too_many" };

/** The seller makes a link for the day of the meeting. It ends the one before. */
export async function makeHandoverLink(
  services: DealServices,
  { itemId, sellerId }: { itemId: string; sellerId: string },
): Promise<LinkResult> {
  const deal = await findDeal(services, itemId);
  if (!deal || deal.seller.id !== sellerId) return { ok: false, code: "not_found" };
  const now = services.now();
  const day = linkDay({ ...deal, agreedFor: deal.turn.missed.agreedFor }, now);
  if (day === null) return { ok: false, code: "not_open" };
  const allowance = { key: `handover-links:${itemId}`, max: LINKS_A_DAY, windowMs: DAY_MS };
  if (!(await takeAllowance(services, [allowance]))) return { ok: false, code: "too_many" };
  const event = { event: "helper_asked", actor: "seller", actorId: sellerId, reason: day } as const;
  const isMade = await tryWrite(services.db, [
    expectThat(hasRow(orderItems, and(eq(orderItems.id, itemId), stateIs(orderItems.status, ITEM.takesCode)))),
    // Who presses twice has made one.
    expectThat(holdsFor(itemId, isHandoverLink(deal.handoverLink?.id ?? null))),
    recordDealEvent(crypto.randomUUID(), itemId, event, now),
  ]);
  if (isMade) await announce(services, deal);
  return { ok: true };
}

/** The seller ends the link that they have made. */
export async function stopHandoverLink(
  services: DealServices,
  { itemId, sellerId }: { itemId: string; sellerId: string },
): Promise<LinkResult> {
  const deal = await findDeal(services, itemId);
  if (!deal || deal.seller.id !== sellerId) return { ok: false, code: "not_found" };
  if (!deal.handoverLink) return { ok: true };
  const event = { event: "helper_stopped", actor: "seller", actorId: sellerId } as const;
  const isStopped = await tryWrite(services.db, [
    expectThat(holdsFor(itemId, isHandoverLink(deal.handoverLink.id))),
    recordDealEvent(crypto.randomUUID(), itemId, event, services.now()),
  ]);
  if (isStopped) await announce(services, deal);
  // Another link was made meanwhile.
  return isStopped ? { ok: true } : { ok: false, code: "not_open" };
}

/** Both pages say that somebody else comes, or no longer. */
async function announce({ notifier }: DealServices, { id, orderId, buyer, seller }: Deal): Promise<void> {
  const moved = { type: "order", orderId, orderItemId: id } as const;
  await Promise.all([notifier.send(buyer.id, moved), notifier.send(seller.id, moved)]);
}
