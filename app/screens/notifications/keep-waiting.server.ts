/** News that is no longer true when it leaves must not cost its reader the place on a waiting list. */
import { waitOn } from "#app/catalogue/stock/stock-waits.server.ts";
import type { Store } from "#app/db/client.ts";
import type { Gathered } from "#app/notifications/kinds.ts";
import type { Telling } from "./still-true.server.ts";

/**
 * Lets whoever would have been told that something is free again wait on for what has been reserved or sold since.
 *
 * @param left what is still true of it (`findTrue`)
 */
export async function keepWaiting(
  store: Store,
  { notification: { kind, data }, reader }: Telling,
  left: object | null,
): Promise<void> {
  if (kind !== "stock_free" || reader === null) return;
  const idsOf = (news: Partial<Gathered> | null) => (news?.listings ?? []).map(({ productId }) => productId);
  const told = new Set(idsOf(left));
  const missed = idsOf(data).filter((id) => !told.has(id));
  if (missed.length > 0) await waitOn(store, reader, missed);
}
