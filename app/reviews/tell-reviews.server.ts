import type { Party } from "#app/notifications/recipient-rules.ts";
import type { Statement } from "#app/db/batch.ts";
import { notify } from "#app/notifications/notify.server.ts";
import type { DealReviews } from "./find-deal-reviews.server.ts";
import { otherRole, writeUntil } from "./review-rules.ts";

type Deal = Pick<DealReviews, "itemId" | "productName" | "role" | "self" | "other">;

/** One side was reviewed and can write until the other's review is published, at `publishAt` (ms). */
export function tellWritten(deal: Deal & Pick<DealReviews, "endedAt">, publishAt: number, now: number): Statement[] {
  const { itemId, productName, other } = deal;
  const data = {
    role: otherRole(deal.role),
    productName,
    orderItemId: itemId,
    until: Math.min(publishAt, writeUntil(deal.endedAt)),
  };
  return notify(other, { kind: "review_written", data }, `review:${itemId}:written:${other.id}`, now);
}

/** Somebody has replied to the review of the other side. */
export function tellReplied({ itemId, productName, role, other }: Deal, now: number): Statement[] {
  const data = { role: otherRole(role), productName, orderItemId: itemId };
  return notify(other, { kind: "review_replied", data }, `review:${itemId}:replied:${other.id}`, now);
}

/** Published: both reviews, or the one about `readers`, when the other side has written none. */
export function tellPublished(deal: Deal, readers: readonly Party[], now: number): Statement[] {
  const { itemId, productName } = deal;
  return readers.flatMap((reader) => {
    const data = {
      role: reader.id === deal.self.id ? deal.role : otherRole(deal.role),
      productName,
      orderItemId: itemId,
      both: readers.length === 2,
    };
    return notify(reader, { kind: "reviews_published", data }, `review:${itemId}:published:${reader.id}`, now);
  });
}
