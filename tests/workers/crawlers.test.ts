/**
 * What chats and search engines get for a shared link. Some of them read only the head, run no scripts and keep no cookies.
 */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { PREVIEW_SIZE } from "#app/catalogue/photos/photo-rules.ts";
import { readPicture } from "#app/catalogue/photos/picture-size.ts";
import { products } from "#app/db/schema.ts";
import {
  FRONT_PATH,
  publicCampusPath,
  publicCategoryPath,
  publicProductPath,
  publicShopPath,
  shortIdOf,
} from "#app/platform/public-links.ts";
import { ORIGIN } from "#tests/support/accounts.ts";
import { db, makeProduct, makeUser } from "#tests/support/fixtures.ts";
import { jpeg } from "#tests/support/pictures.ts";
import { visit } from "#tests/support/visit.ts";

/** What they call themselves, and where they say so. */
const CRAWLERS: Record<string, string> = {
  // https://developers.facebook.com/docs/whatsapp/link-previews
  WhatsApp: "WhatsApp/2.23.20.0",
  // Telegram documents none; its requests say this.
  Telegram: "TelegramBot (like TwitterBot)",
  // https://developer.x.com/en/docs/x-for-websites/cards/guides/getting-started
  X: "Twitterbot/1.0",
  // https://developers.facebook.com/docs/sharing/webmasters/web-crawlers
  Facebook: "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  // https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers
  Google:
    "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  // https://www.linkedin.com/robots.txt
  LinkedIn: "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
  // https://api.slack.com/robots
  Slack: "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
};

/**
 * Asks as one of them. Each asks on a day of its own, so that no page comes from the cache: what another crawler was told
 * proves nothing.
 */
async function askAs(agent: string, address: string): Promise<Response> {
  const day = 1 + Object.values(CRAWLERS).indexOf(agent);
  const answer = await visit(address, { headers: { "User-Agent": agent, "X-Days-Ahead": String(day) } });
  const isKept = answer.headers.get("Server-Timing")?.includes("trips=0") && answer.headers.has("ETag");
  expect([address, isKept]).toEqual([address, false]);
  return answer;
}

/** WhatsApp shows no larger picture. */
const MOST_BYTES = 300_000;

const key = `img/${"e".repeat(32)}`;
let path: string;
let shortId: string;
let shop: string;

beforeAll(async () => {
  const sellerId = await makeUser({ name: "Njoroge Kiplagat" });
  shop = publicShopPath({ id: sellerId, title: "Njoroge's shop" });
  const id = await makeProduct(sellerId, { name: "Graph paper", price: 250 });
  await env.MEDIA.put(`${key}/preview.jpg`, jpeg(PREVIEW_SIZE), { httpMetadata: { contentType: "image/jpeg" } });
  const cover = { key, width: 320, height: 240, widths: [320], tone: "#808080", thumbhash: "", preview: true };
  await db
    .update(products)
    .set({ images: [cover] })
    .where(eq(products.id, id));
  path = publicProductPath({ id, name: "Graph paper" });
  shortId = shortIdOf(id);
});

/** The tags of a page's head by property or name. */
function tagsOf(html: string): Map<string, string> {
  const tags = html.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)"/g);
  return new Map(Array.from(tags, ([, name = "", content = ""]) => [name, content]));
}

test.each(Object.entries(CRAWLERS))(
  "%s reads what a product is, and gets a picture that it shows",
  async (_, agent) => {
    const page = await askAs(agent, `${path}?utm_source=chat`);
    expect([page.status, page.headers.get("Set-Cookie"), page.headers.get("X-Robots-Tag")]).toEqual([200, null, null]);
    expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    const html = await page.text();
    expect(html).toContain(`<link rel="canonical" href="${ORIGIN}${path}"/>`);

    const tags = tagsOf(html);
    const picture = tags.get("og:image") ?? "";
    expect(Object.fromEntries(tags)).toMatchObject({
      "og:title": expect.stringContaining("Graph paper"),
      "og:description": expect.stringContaining("KES 250"),
      "og:url": `${ORIGIN}${path}`,
      "og:image:width": "1200",
      "og:image:height": "630",
      "twitter:card": "summary_large_image",
      "twitter:title": expect.stringContaining("Graph paper"),
      "twitter:image": picture,
    });
    // WhatsApp reads no further.
    expect(html.indexOf('property="og:image"')).toBeLessThan(MOST_BYTES);
    expect(scriptsOf(html)).toEqual(["<script>"]);

    expect(picture).toMatch(`${ORIGIN}/files/`);
    const file = await visit(picture.slice(ORIGIN.length), { headers: { "User-Agent": agent } });
    const bytes = new Uint8Array(await file.arrayBuffer());
    expect([file.status, file.headers.get("Content-Type"), file.headers.get("Set-Cookie")]).toEqual([
      200,
      "image/jpeg",
      null,
    ]);
    expect(bytes.length).toBeLessThanOrEqual(MOST_BYTES);
    expect(readPicture(bytes)).toEqual({ kind: "jpeg", ...PREVIEW_SIZE });
  },
);

/** The scripts that a browser would run: structured data is none. */
function scriptsOf(html: string): string[] {
  return html.match(/<script(?! type="application\/ld\+json")[^>]*>/g) ?? [];
}

test.each(Object.entries(CRAWLERS))("%s reads the front page, shops, categories and campuses", async (_, agent) => {
  for (const address of [FRONT_PATH, shop, publicCategoryPath("stationery"), publicCampusPath("Main Campus")]) {
    const page = await askAs(agent, address);
    const html = await page.text();
    expect([address, page.status, page.headers.get("Set-Cookie")]).toEqual([address, 200, null]);
    expect(html).toContain(`<link rel="canonical" href="${ORIGIN}${address}"/>`);
    const tags = Object.fromEntries(tagsOf(html));
    expect(tags).toMatchObject({ "og:url": ORIGIN + address, "og:title": expect.stringMatching(/./) });
    expect(tags["og:image"]).toMatch(`${ORIGIN}/`);
    expect(scriptsOf(html)).toEqual(["<script>"]);
  }
});

test.each(Object.entries(CRAWLERS))("%s is told what has moved, is gone, or never was", async (_, agent) => {
  const gone = await makeProduct(await makeUser());
  await db.update(products).set({ deletedAt: 1 }).where(eq(products.id, gone));
  const answers = await Promise.all(
    [`/p/${shortId}/old-name`, `/p/${shortIdOf(gone)}/x`, "/p/0000000000/x", "/p/0000000000/x/y"].map(
      async (address) => {
        const { status, headers } = await askAs(agent, address);
        return [status, headers.get("Location"), headers.get("Set-Cookie")];
      },
    ),
  );
  expect(answers).toEqual([
    [301, path, null],
    [410, null, null],
    [404, null, null],
    [404, null, null],
  ]);
});

test("everybody reads the same page", async () => {
  const address = publicProductPath({ id: await makeProduct(await makeUser()), name: "Casio fx-991ES" });
  // Each visit is on a day of its own.
  const read = async (agent: string) => (await (await askAs(agent, address)).text()).replace(/Listed [^<]+/, "");
  const pages = await Promise.all(Object.values(CRAWLERS).map(read));
  expect(pages[0]).toContain("KES 1,900");
  expect(new Set(pages).size).toBe(1);
});
