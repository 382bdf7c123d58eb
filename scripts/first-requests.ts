import { z } from "zod";
import { publicProductPath } from "#app/platform/public-links.ts";
import { withLocalDatabase } from "#scripts/database.ts";

/** Long, because a busy machine is slow but not wrong. */
const REQUEST_TIMEOUT_MS = 120_000;

const Ids = z.object({
  product: z.string(),
  name: z.string(),
  own: z.string(),
  order: z.string(),
  sale: z.string(),
  case: z.string(),
});

/** Different screens, each with who opens it; null for a visitor. */
export type FirstScreens = readonly (readonly [account: string | null, path: string])[];

/** Screens of the demo campus in `CHUONI_STATE`: pages for visitors, and those with parts whose scripts come late. */
export async function chooseFirstScreens(): Promise<FirstScreens> {
  const ids = Ids.parse(
    await withLocalDatabase((database) =>
      database
        .prepare(
          `SELECT p.id AS product, p.name, (SELECT id FROM products WHERE seller_id = s.id AND deleted_at IS NULL LIMIT 1) AS own,
            (SELECT id FROM orders WHERE user_id = b.id LIMIT 1) AS "order", (SELECT id FROM order_items WHERE seller_id = s.id LIMIT 1) AS sale,
            (SELECT id FROM moderation_cases LIMIT 1) AS "case"
          FROM credentials b, credentials s, products p
          WHERE b.email = 'buyer@campus.test' AND s.email = 'seller@campus.test' AND p.seller_id NOT IN (b.id, s.id) AND p.status = 'active' AND p.deleted_at IS NULL LIMIT 1`,
        )
        .first(),
    ),
  );
  return [
    [null, "/auth"],
    [null, "/terms"],
    [null, publicProductPath({ id: ids.product, name: ids.name })],
    ["buyer@campus.test", "/home"],
    ["buyer@campus.test", "/studentmarketplace"],
    ["buyer@campus.test", `/product/${ids.product}`],
    ["buyer@campus.test", `/orders/${ids.order}`],
    ["buyer@campus.test", "/profile?tab=messages"],
    ["seller@campus.test", "/myshop"],
    ["seller@campus.test", "/myshop?tab=orders"],
    ["seller@campus.test", `/product/${ids.own}`],
    ["seller@campus.test", `/seller/orders/${ids.sale}`],
    ["admin@campus.test", `/admin/moderation/${ids.case}`],
  ];
}

/** Logs in as each of these accounts. Returns the Cookie headers by account. */
export async function logIn(origin: string, accounts: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const cookies = new Map<string, string>();
  for (const email of new Set(accounts)) {
    const answer = await fetch(`${origin}/auth`, {
      method: "POST",
      body: new URLSearchParams({ email, password: "campus-demo" }),
      headers: { Origin: origin },
      redirect: "manual",
    });
    const set = answer.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
    cookies.set(email, set.join("; "));
  }
  return cookies;
}

/**
 * Asks a server that has rendered no page yet for all screens at once, and lists those that don't come whole. In workerd
 * a request that waits for an import of another request never ends.
 */
export async function findFirstRequestFaults(
  origin: string,
  screens: FirstScreens,
  cookies: ReadonlyMap<string, string>,
): Promise<string[]> {
  const faults = await Promise.all(
    screens.map(async ([account, path]) => {
      const fault = await findFault(`${origin}${path}`, (account && cookies.get(account)) ?? "");
      return fault && `${path}, ${account ?? "a visitor"}: ${fault}`;
    }),
  );
  return faults.filter((fault) => fault !== null);
}

async function findFault(address: string, cookie: string): Promise<string | null> {
  try {
    const answer = await fetch(address, {
      headers: { Cookie: cookie },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const text = await answer.text();
    if (answer.status !== 200) return `status ${answer.status}`;
    if (answer.redirected) return `led to ${new URL(answer.url).pathname}`;
    return text.trimEnd().endsWith("</html>") ? null : `an incomplete document of ${text.length} characters`;
  } catch (error) {
    return String(error);
  }
}
