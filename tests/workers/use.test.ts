/** What a request uses, as the benchmark of costs reads it. */
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import type { Meter } from "#app/db/meter.ts";
import { makeAccount, PASSWORD } from "#tests/support/accounts.ts";
import { makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";

afterEach(() => vi.restoreAllMocks());

/** The use that was logged for a request after its deferred work. */
async function useOf(
  path: string,
  asking: Parameters<typeof visit>[1] = {},
): Promise<{ use: Meter; response: Response }> {
  const lines: string[] = [];
  const spy = vi.spyOn(console, "log").mockImplementation((line: unknown) => void lines.push(String(line)));
  const response = await visit(path, { ...asking, bindings: { LOG_USE: "yes" } });
  spy.mockRestore();
  const uses = lines.map((line) => JSON.parse(line) as { event: string; meter: Meter });
  const use = uses.find(({ event }) => event === "use")?.meter;
  if (!use) throw new Error("no use was logged");
  return { use, response };
}

test("a login writes its session and rows, and the page after it reads them", async () => {
  const { email, id } = await makeAccount();
  const login = await useOf("/auth", { form: { email, password: PASSWORD } });
  expect(login.response.status).toBe(302);
  expect(login.use).toMatchObject({ kvWrites: 1, hubRequests: 0, emails: 0 });
  const page = await useOf("/cart", { as: id });
  expect(page.use).toMatchObject({ kvReads: 1, kvWrites: 0, rowsWritten: 0, r2Reads: 0 });
  expect(page.use.rowsRead).toBeGreaterThan(0);
  expect(page.response.headers.get("Server-Timing")).toContain(`kv;desc="reads=1 writes=0"`);
});

test("a worker keeps the floor of the replicas in its memory, so that a page costs one read of KV: its session", async () => {
  await servicesAt().replicas.raiseFloor();
  const get = vi.spyOn(env.SESSIONS, "get");
  const viewer = await makeUser();
  for (let page = 0; page < 3; page += 1) await visit("/studentmarketplace", { as: viewer });
  const keys = get.mock.calls.map(([key]) => String(key));
  // The first read may be that of the login.
  expect(keys.length).toBeGreaterThanOrEqual(3);
  expect(new Set(keys).size, "one key: the session").toBe(1);
});

test("a message counts the rows that its triggers and indexes write, and the hubs that hear of it", async () => {
  const [sender, reader] = [await makeUser(), await makeUser()];
  const about = `product:${await makeProduct(reader)}`;
  const form = { about, text: "Is it still there?", key: crypto.randomUUID() };
  const { use, response } = await useOf("/api/messages", { as: sender, form });
  expect(response.status).toBe(200);
  expect(use.rowsWritten).toBeGreaterThan(3);
  expect(use.hubRequests).toBe(2);
});

test("what happens after the answer counts as well: the emails of a sign-up", async () => {
  const form = {
    accountType: "student",
    fullName: "Njeri Wambui",
    email: `use-${crypto.randomUUID()}@campus.test`,
    password: PASSWORD,
    phone: "0722000020",
    campusLocation: "Main Campus",
  };
  const { use, response } = await useOf("/auth/signup", { form });
  expect(response.status).toBe(302);
  expect(use.emails).toBe(1);
});

test("a picture that isn't kept is read from R2", async () => {
  const { use } = await useOf(`/files/img/${"0".repeat(32)}/320.webp`, { headers: { Accept: "image/avif,*/*" } });
  expect(use).toMatchObject({ r2Reads: 2, r2Writes: 0, trips: 0 });
});
