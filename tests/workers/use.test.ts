/** What a request uses, as its answer says it. */
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { makeAccount, PASSWORD } from "#tests/support/accounts.ts";
import { makeUser } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";

const useOf = (response: Response) => response.headers.get("Server-Timing");

test("a login writes its session, and the page after it reads it", async () => {
  const { email, id } = await makeAccount();
  const login = await visit("/auth", { form: { email, password: PASSWORD } });
  expect(login.status).toBe(302);
  expect(useOf(login)).toContain(`kv;desc="reads=0 writes=1"`);
  const page = useOf(await visit("/cart", { as: id }));
  expect(page).toContain(`kv;desc="reads=1 writes=0"`);
  expect(page).toMatch(/d1;desc="trips=2 rows=[1-9]\d* written=0"/);
});

test("a page costs one read of KV: its session", async () => {
  const get = vi.spyOn(env.SESSIONS, "get");
  const viewer = await makeUser();
  for (let page = 0; page < 3; page += 1) await visit("/studentmarketplace", { as: viewer });
  const keys = get.mock.calls.map(([key]) => String(key));
  get.mockRestore();
  // The first read may be that of the login.
  expect(keys.length).toBeGreaterThanOrEqual(3);
  expect(new Set(keys).size, "one key: the session").toBe(1);
});

test("a picture that isn't kept is read from R2", async () => {
  const answer = await visit(`/files/img/${"0".repeat(32)}/320.webp`);
  expect(useOf(answer)).toContain(`r2;desc="reads=1 writes=0"`);
  expect(useOf(answer)).toContain("trips=0");
});
