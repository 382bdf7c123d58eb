/** How often the listings of the demo campus were opened and written about in the last weeks. */
import { dayOf } from "#app/platform/east-africa-time.ts";
import { chanceOf } from "./chance.ts";
import type { Row } from "./rows.ts";
import type { Product } from "./stock.ts";

const DAYS = 45;
/** Views of a popular listing on a good day. */
const MOST_VIEWS = 24;

export function listingDayRows(
  now: number,
  products: readonly Product[],
  messages: readonly Row<"messages">[],
): Row<"listingDays">[] {
  const today = dayOf(now);
  return products
    .filter(({ suspendedAt }) => suspendedAt === null)
    .flatMap(({ id, sellerId, createdAt }) => {
      const chance = chanceOf(`views ${id}`);
      const liked = chance.below(MOST_VIEWS);
      const asked = messages.filter((message) => message.productId === id && message.recipientId === sellerId);
      const first = Math.max(today - DAYS + 1, dayOf(createdAt));
      return Array.from({ length: today - first + 1 }, (_, at) => {
        const day = first + at;
        return {
          day,
          sellerId,
          productId: id,
          // Most people see it while it is new.
          views: Math.round((liked * chance.fraction()) / (1 + (day - dayOf(createdAt)) / 20)),
          messages: asked.filter((message) => dayOf(message.createdAt) === day).length,
        };
      }).filter(({ views, messages: written }) => views + written > 0);
    });
}
