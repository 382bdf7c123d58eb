/** Measures the first page of the notification centre of somebody who was told much. */
import { withLocalDatabase } from "#scripts/database.ts";
import { withServer } from "./data.ts";
import { type Load, loadPage } from "./load.ts";
import { BUYER, logIn } from "./people.ts";
import { printLines } from "./table.ts";

/** Half of them are unread. */
const PREPARE = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
  INSERT INTO notifications (user_id, kind, data, thing, key, created_at, read_at)
  SELECT (SELECT id FROM credentials WHERE email = ?2), 'payment_received',
    json_object('orderId', 'order-' || i, 'amount', 500, 'receipt', NULL), 'order:' || i, 'bench:' || i,
    ?3 - (?1 - i) * 60000, iif(i % 2, ?3, NULL) FROM n`;

const REQUESTS = 300;

export interface CentreMeasure {
  notifications: number;
  load: Load;
}

/** In the data folder, which must be a copy: it gets `notifications` more. */
export async function measureCentre(notifications: number, milliseconds: number): Promise<CentreMeasure> {
  await withLocalDatabase((database) => database.prepare(PREPARE).bind(notifications, BUYER, Date.now()).run());
  const load = await withServer(async (origin) => {
    const options = { url: `${origin}/notifications`, cookie: await logIn(origin, BUYER), connections: 1 };
    // The first requests compile the code.
    await loadPage({ ...options, milliseconds, requests: 20 });
    return loadPage({ ...options, milliseconds, requests: REQUESTS });
  });
  return { notifications, load };
}

export function printCentre(measures: readonly CentreMeasure[]): void {
  console.log("\nThe first page of the notification centre:");
  printLines([
    ["notifications", "p50 ms", "p99 ms", "D1 trips", "rows read"],
    ...measures.map(({ notifications, load }) => [
      notifications.toLocaleString("en"),
      load.p50.toFixed(1),
      load.p99.toFixed(1),
      String(load.trips),
      String(load.rows),
    ]),
  ]);
}
