import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { products } from "#app/catalogue/tables.server.ts";
import { publicProductPath } from "#app/public-links.ts";
import { db, makeProduct, makeUser } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";

const KEY = `img/${"ab".repeat(16)}`;

async function listWithPhoto(): Promise<string> {
  const id = await makeProduct(await makeUser());
  const image = { key: KEY, width: 1600, height: 1200, widths: [320, 640, 1080, 1600], tone: "#aabbcc", thumbhash: "" };
  await db
    .update(products)
    .set({ images: [image] })
    .where(eq(products.id, id));
  return id;
}

/** The photos in a page: the attributes of each. */
async function photosOf(path: string, as: string, headers: Record<string, string> = {}): Promise<string[]> {
  const answer = await visit(path, { as, headers });
  expect(answer.status).toBe(200);
  return ((await answer.text()).match(/<img[^>]*>/g) ?? []).filter((tag) => tag.includes(KEY));
}

const ASKED = { "Save-Data": "on" };

test("the feed of somebody who saves data names small photos only, and loads none before it is near", async () => {
  await listWithPhoto();
  const as = await makeUser();
  const [usual] = await photosOf("/studentmarketplace", as);
  expect(usual).toMatch(/srcSet="[^"]*320.webp 320w, [^"]*640.webp 640w"/);
  expect(usual).toContain('loading="eager"');

  const saving = await photosOf("/studentmarketplace", as, ASKED);
  expect(saving).not.toEqual([]);
  for (const photo of saving) {
    expect(photo).toContain(`src="/files/${KEY}/320.webp"`);
    expect(photo).not.toMatch(/srcset/i);
    expect(photo).toContain('loading="lazy"');
  }
});

test("a product's own photo stays clear enough to judge it by", async () => {
  const id = await listWithPhoto();
  const [photo] = await photosOf(`/product/${id}`, await makeUser(), ASKED);
  expect(photo).toContain(`src="/files/${KEY}/640.webp"`);
  expect(photo).not.toMatch(/srcset/i);
});

test("a public page saves data, too, where the browser or an earlier choice asks for it", async () => {
  const id = await listWithPhoto();
  await listWithPhoto();
  const load = async (headers: Record<string, string>) => {
    const answer = await visit(publicProductPath({ id, name: "Casio fx-991ES" }), { headers });
    expect(answer.status).toBe(200);
    return ((await answer.text()).match(/<img[^>]*>/g) ?? []).filter((tag) => tag.includes(KEY));
  };
  expect((await load({})).join("")).toContain("1600w");
  for (const headers of [ASKED, { Cookie: "data_saver=on" }]) {
    const [own, ...others] = await load(headers);
    expect(own).toContain(`src="/files/${KEY}/640.webp"`);
    expect(others).not.toEqual([]);
    for (const photo of others) expect(photo).toContain(`src="/files/${KEY}/320.webp"`);
    for (const photo of [own, ...others]) {
      expect(photo).not.toMatch(/srcset/i);
      expect(photo).toContain('loading="lazy"');
    }
  }
});

test("no page of somebody who saves data asks for the web font", async () => {
  const as = await makeUser();
  expect(await (await visit("/studentmarketplace", { as })).text()).toMatch(/rel="preload"[^>]*woff2/);
  const saving = await (await visit("/studentmarketplace", { as, headers: ASKED })).text();
  expect(saving).not.toContain("woff2");
  expect(saving).toMatch(/<html[^>]*data-saver="true"/);
});

test("the choice in the settings is stored for this browser, and counts more than what the browser asks for", async () => {
  const as = await makeUser();
  const form = (dataSaver: string) => ({ intent: "data-saver", dataSaver });
  const stored = async (dataSaver: string) => {
    const answer = await visit("/settings", { as, form: form(dataSaver) });
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/profile?tab=settings"]);
    return answer.headers.getSetCookie().find((cookie) => cookie.startsWith("data_saver="));
  };
  expect(await stored("on")).toMatch(/^data_saver=on; /);
  expect(await stored("off")).toMatch(/^data_saver=off; /);
  const refused = await visit("/settings", { as, form: form("perhaps") });
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([400, []]);
});

test("the settings say whether it is on", async () => {
  const as = await makeUser();
  const switchIn = async (headers: Record<string, string>) =>
    /<button[^>]*role="switch"[^>]*name="dataSaver"[^>]*>/.exec(
      await (await visit("/profile?tab=settings", { as, headers })).text(),
    )?.[0];
  const off = await switchIn({});
  expect(off).toContain('aria-checked="false"');
  expect(off).toContain('value="on"');
  const on = await switchIn(ASKED);
  expect(on).toContain('aria-checked="true"');
  expect(on).toContain('value="off"');
});
