/** The archive of callbacks: nothing is lost or comes back, and the money page shows the same as before. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { deleteAccount } from "#app/accounts/delete-account.server.ts";
import { openMoneyPage } from "#app/admin/money.server.ts";
import { archiveCallbacks } from "#app/payments/archived-callbacks.server.ts";
import type { Services } from "#app/request/services.ts";
import { makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { rewriteArchive, runSweep } from "#workers/jobs/sweep.ts";

const DAY_MS = 24 * 60 * 60_000;
const OLD = 1_100;
const YOUNG = 30;

/** The id of an old callback. */
function idOf(n: number): string {
  return `a${n.toString(16).padStart(7, "0")}-0000-4000-8000-000000000000`;
}

async function run(...statements: string[]): Promise<void> {
  await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
}

async function count(query: string): Promise<number> {
  return (await env.DB.prepare(`SELECT COUNT(*) AS n FROM ${query}`).first<number>("n")) ?? 0;
}

/** Callbacks of more than one part that are old enough, some of the same time, and some that stay. */
beforeEach(async () => {
  const old = Date.now() - 400 * DAY_MS;
  const numbers = (length: number) =>
    `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${length})`;
  const insert = (name: string, length: number, receivedAt: string, appliedAt: string) =>
    `${numbers(length)} INSERT INTO payment_callbacks (id, kind, token, body, request_id, received_at, applied_at, outcome)
      SELECT '${name}' || printf('%07x', n) || '-0000-4000-8000-000000000000', 'push', '${name}-token-' || n, '{"Phone":254712345678,"Text":"Habari “' || n || '”\\n"}', 'r' || n, ${receivedAt}, ${appliedAt}, 'paid' FROM numbers`;
  const { objects } = await env.DOCUMENTS.list({ prefix: "archive/" });
  await env.DOCUMENTS.delete(objects.map(({ key }) => key));
  await run(
    "DELETE FROM payment_callbacks",
    "DELETE FROM archive_parts",
    insert("a", OLD, `${old} + n / 7`, `${old} + n`),
    insert("b", 3, `${old} + n`, "NULL"),
    insert("c", YOUNG, `${Date.now() - DAY_MS} + n`, `${Date.now()}`),
  );
});

/** All pages of the list of callbacks. */
async function readAll(services: Services = servicesAt()) {
  const rows = [];
  for (let after: string | null = null; ;) {
    const page = await openMoneyPage(services, { list: "callbacks", filter: "all", search: "", after });
    if (page.list !== "callbacks") throw new Error("another list");
    rows.push(...page.rows.map(({ archivePart: _part, ...row }) => row));
    if (page.next === null) return rows;
    after = page.next;
  }
}

function withBucket(change: Partial<R2Bucket>): Services {
  const bucket = new Proxy(env.DOCUMENTS, {
    get(target, name) {
      if (name in change) return change[name as keyof R2Bucket];
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { ...servicesAt(), documents: bucket };
}

async function archivedText(): Promise<string> {
  const { objects } = await env.DOCUMENTS.list({ prefix: "archive/" });
  const texts = await Promise.all(
    objects.map(async ({ key }) => {
      const object = await env.DOCUMENTS.get(key);
      return new Response(object?.body.pipeThrough(new DecompressionStream("gzip"))).text();
    }),
  );
  return texts.join("\n");
}

test("every page of callbacks reads the same before and after, and old bodies leave the database", async () => {
  const before = await readAll();
  expect(before).toHaveLength(OLD + YOUNG + 3);
  expect(await archiveCallbacks(servicesAt())).toBe(OLD);
  expect(await count("payment_callbacks WHERE body = ''")).toBe(OLD);
  expect(await count("payment_callbacks WHERE id LIKE 'b%' AND body <> ''")).toBe(3);
  expect(await count("archive_parts WHERE written_at IS NOT NULL")).toBe(2);
  expect(await readAll()).toEqual(before);

  expect(await archiveCallbacks(servicesAt())).toBe(0);
  expect(await archiveCallbacks(servicesAt(400 * DAY_MS))).toBe(YOUNG);
  expect(await readAll()).toEqual(before);
});

test("two runs at once archive each callback once", async () => {
  const before = await readAll();
  await Promise.all([archiveCallbacks(servicesAt()), archiveCallbacks(servicesAt())]);
  await archiveCallbacks(servicesAt());
  expect(await count("payment_callbacks WHERE body = ''")).toBe(OLD);
  expect(await readAll()).toEqual(before);
  await rewriteArchive(servicesAt(2 * DAY_MS));
  const { objects } = await env.DOCUMENTS.list({ prefix: "archive/" });
  expect(objects).toHaveLength(await count("archive_parts"));
  expect(await count("archive_parts WHERE written_at IS NULL")).toBe(0);
  expect(await readAll()).toEqual(before);
});

test("a bucket that fails, or keeps something else, takes no body out of the database", async () => {
  const put = () => Promise.reject(new Error("R2 is down"));
  await expect(archiveCallbacks(withBucket({ put }))).rejects.toThrow("R2 is down");
  const lossy = (async (key: string) => {
    const other = new Blob(["other"]).stream().pipeThrough(new CompressionStream("gzip"));
    return env.DOCUMENTS.put(key, await new Response(other).arrayBuffer());
  }) as unknown as R2Bucket["put"];
  await expect(archiveCallbacks(withBucket({ put: lossy }))).rejects.toThrow("differs from what was stored");
  const get = (() => Promise.resolve(null)) as unknown as R2Bucket["get"];
  await expect(archiveCallbacks(withBucket({ get }))).rejects.toThrow("the archive has no");
  expect(await count("payment_callbacks WHERE body = ''")).toBe(0);

  // What was begun is removed a day later.
  await rewriteArchive(servicesAt(2 * DAY_MS));
  expect(await count("archive_parts")).toBe(0);
  expect((await env.DOCUMENTS.list({ prefix: "archive/" })).objects).toEqual([]);
});

test("the list of callbacks stays readable while the archive isn't", async () => {
  await archiveCallbacks(servicesAt());
  const get = () => Promise.reject(new Error("R2 is down"));
  const rows = await readAll(withBucket({ get }));
  expect(rows).toHaveLength(OLD + YOUNG + 3);
  expect(rows.filter(({ body }) => body === null)).toHaveLength(OLD);
});

test("a body that is erased while it is archived doesn't come back", async () => {
  const put = (async (key: string, value: ArrayBuffer) => {
    await run(`UPDATE payment_callbacks SET body = '' WHERE id = '${idOf(5)}'`);
    return env.DOCUMENTS.put(key, value);
  }) as unknown as R2Bucket["put"];
  expect(await archiveCallbacks(withBucket({ put }))).toBe(0);
  expect(await archiveCallbacks(servicesAt())).toBe(OLD - 1);
  expect((await readAll()).find(({ id }) => id === idOf(5))?.body).toBe("");
  // The next sweep deletes the part that has the erased body.
  expect(await archivedText()).toContain("“5”");
  await rewriteArchive(servicesAt());
  expect(await archivedText()).not.toContain("“5”");
});

test("a part holds no more than about two million characters of bodies", async () => {
  await run(`UPDATE payment_callbacks SET body = hex(zeroblob(10000)) WHERE id < '${idOf(150)}'`);
  const before = await readAll();
  expect(await archiveCallbacks(servicesAt())).toBe(OLD);
  const { results } = await env.DB.prepare("SELECT lines FROM archive_parts ORDER BY last_at, last_id").all();
  expect(results).toEqual([{ lines: 100 }, { lines: 1_000 }]);
  expect(await readAll()).toEqual(before);
});

test("a part that can't be read keeps no other from being rewritten, nor a failing step the rest of the sweep", async () => {
  await archiveCallbacks(servicesAt());
  const { results } = await env.DB.prepare("SELECT id, key FROM archive_parts ORDER BY last_at, last_id").all<{
    id: string;
    key: string;
  }>();
  const [lost] = results;
  await env.DOCUMENTS.delete(lost?.key ?? "");
  await run(
    "UPDATE archive_parts SET rewrite_due = 1",
    `UPDATE payment_callbacks SET archive_part = NULL WHERE id IN ('${idOf(7)}', '${idOf(1050)}')`,
    "DELETE FROM leases WHERE name = 'sweep'",
    `INSERT INTO uploads (key, owner_id, bucket, created_at) VALUES ('verification-documents/left', '${await makeUser()}', 'documents', 1)`,
  );
  const failed: unknown[] = [];
  const services: Services = {
    ...withBucket({
      delete: (keys) =>
        [keys].flat().some((key) => key.startsWith("archive/"))
          ? env.DOCUMENTS.delete(keys)
          : Promise.reject(new Error("R2 is down")),
    }),
    log: ({ event, step, part }) => {
      if (event === "sweep_step_failed" || event === "archive_rewrite_failed") failed.push(step ?? part);
    },
  };
  await expect(runSweep(services)).rejects.toThrow("Steps of the sweep failed");
  expect(failed).toEqual(["files", lost?.id, "rewritten"]);
  const text = await archivedText();
  expect(text).not.toContain("“1050”");
  expect(text).toContain("“1051”");
  expect(await count("archive_parts WHERE rewrite_due = 1")).toBe(1);
});

test("deleting an account erases its archived bodies, and no others", async () => {
  const userId = await makeUser();
  await run(
    `INSERT INTO subscriptions (id, user_id, plan, amount, status, created_at, updated_at) VALUES ('s', '${userId}', 'weekly_featured', 1, 'ended', 1, 1)`,
    ...["a-token-7", "a-token-1050"].map(
      (token) =>
        `INSERT INTO payment_attempts (id, purpose, subscription_id, user_id, phone, amount, state, callback_token, created_at, updated_at)
          VALUES ('${token}', 'subscription', 's', '${userId}', '254712345678', 1, 'failed', '${token}', 1, 1)`,
    ),
  );
  // M-Pesa's answer about a receipt names the payer, too.
  await run(
    `INSERT INTO receipt_checks (id, attempt_id, receipt, token, asked_by, created_at) VALUES ('check', 'a-token-7', 'TARCHIVE01', 'a-token-9', '${await makeUser()}', 1)`,
  );
  await archiveCallbacks(servicesAt());
  const before = await readAll();
  expect(await archivedText()).toContain("“1050”");
  expect((await deleteAccount(servicesAt(), userId)).ok).toBe(true);
  const erased = (id: string) => [7, 9, 1050].map(idOf).includes(id);
  const expected = before.map((row) => (erased(row.id) ? { ...row, body: "" } : row));
  expect(await readAll()).toEqual(expected);

  // A bucket that fails keeps the old part until the next run.
  const put = () => Promise.reject(new Error("R2 is down"));
  await expect(rewriteArchive(withBucket({ put }))).rejects.toThrow("can't be rewritten");
  expect(await rewriteArchive(servicesAt())).toBe(2);
  expect(await rewriteArchive(servicesAt())).toBe(0);
  const text = await archivedText();
  expect(text).not.toContain("“7”");
  expect(text).not.toContain("“9”");
  expect(text).not.toContain("“1050”");
  expect(text).toContain("“8”");
  expect(await readAll()).toEqual(expected);
});
