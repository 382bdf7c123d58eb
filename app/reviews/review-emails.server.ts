import type { Party } from "#app/accounts/party.server.ts";
import { recipientOf } from "#app/accounts/recipient-rules.ts";
import type { Statement } from "#app/db/batch.ts";
import { queueEffect } from "#app/db/outbox.ts";
import type { Mail } from "#app/platform/mailer.ts";
import type { DealReviews } from "./find-deal-reviews.server.ts";
import { otherRole, writeUntil } from "./review-rules.ts";

type Deal = Pick<DealReviews, "itemId" | "productName" | "role" | "self" | "other">;

/** One side was reviewed and can write until the other's review is published, at `publishAt` (ms). */
export function writtenEmails(deal: Deal & Pick<DealReviews, "endedAt">, publishAt: number, now: number): Statement[] {
  const { itemId, productName, other } = deal;
  const to = recipientOf(other, "use");
  if (to === null) return [];
  const mail: Mail = {
    to,
    template: "review_written",
    data: {
      name: other.name,
      role: otherRole(deal.role),
      productName,
      orderItemId: itemId,
      until: Math.min(publishAt, writeUntil(deal.endedAt)),
    },
  };
  return [queueEffect("mail", `review:${itemId}:written:${other.id}`, mail, now)];
}

/** Published: both reviews, or the one about `readers`, when the other side has written none. */
export function publishedEmails(deal: Deal, readers: readonly Party[], now: number): Statement[] {
  const { itemId, productName } = deal;
  return readers.flatMap((reader) => {
    const to = recipientOf(reader, "use");
    if (to === null) return [];
    const mail: Mail = {
      to,
      template: "reviews_published",
      data: {
        name: reader.name,
        role: reader.id === deal.self.id ? deal.role : otherRole(deal.role),
        productName,
        orderItemId: itemId,
        both: readers.length === 2,
      },
    };
    return [queueEffect("mail", `review:${itemId}:published:${reader.id}`, mail, now)];
  });
}
