/**
 * Reviews on real D1: neither side sees the other's before both have written or a week has passed, and what people read
 * about a person's reviews always equals the reviews.
 */
import { env } from "cloudflare:workers";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sweepUnusedPhotos } from "#app/admin/operations/sweep-photos.server.ts";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import { type StarCounts } from "#app/accounts/trust/rating-rules.ts";
import { variantSizes } from "#app/catalogue/photos/photo-rules.ts";
import { storePhoto } from "#app/catalogue/photos/photos.server.ts";
import { write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { profiles, shops, uploads, userRatings } from "#app/accounts/tables.server.ts";
import { reviews } from "#app/reviews/tables.server.ts";
import { REVIEW_ROLES } from "#app/db/states/review.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { advanceDeals } from "#app/deals/deal-timers.server.ts";
import { reportIssue } from "#app/deals/problems/issue-reports.server.ts";
import { findNewestReviews, findPersonReviews } from "#app/reviews/find-reviews.server.ts";
import { publishDueReviews } from "#app/reviews/publish-reviews.server.ts";
import { afterReviewsChanged, reviewedIn } from "#app/reviews/review-effects.server.ts";
import { findReviewPage } from "#app/reviews/review-page.server.ts";
import { STARS, type Stars } from "#app/reviews/review-labels.ts";
import { writeOpened } from "#app/platform/edit-rules.ts";
import { reviewTexts } from "#app/reviews/review-rules.ts";
import { editReview, replyToReview } from "#app/reviews/write-review.server.ts";
import { ratingScore } from "#tests/support/rating-score.ts";
import { runSchedule } from "#workers/jobs/schedule.ts";
import { type Deal, db, makeDeal, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { payDeal } from "#tests/support/paid-deal.ts";
import { finishedDeal, personOf, review, type Side } from "#tests/support/reviews.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";
import { meteredServices } from "#tests/support/metered.ts";
import { keysAfter } from "#tests/support/outbox.ts";

const HOUR = 60 * 60_000;
const DAY_HOURS = 24;

function reviewsOf(deal: Deal) {
  return db.select().from(reviews).where(eq(reviews.orderItemId, deal.itemId));
}

async function reviewBy(deal: Deal, side: Side) {
  const found = (await reviewsOf(deal)).find(({ authorId }) => authorId === personOf(deal, side));
  if (!found) throw new Error(`no review of the ${side}`);
  return found;
}

function pageOf(deal: Deal, side: Side, hours = 0) {
  return findReviewPage(db, {
    itemId: deal.itemId,
    viewerId: personOf(deal, side),
    now: Date.now() + hours * HOUR,
  });
}

async function mailsAbout({ itemId, buyerId, sellerId }: Deal): Promise<string[]> {
  const keys = await keysAfter(`review:${itemId}:`);
  return keys.map((key) => key.replace(buyerId, "buyer").replace(sellerId, "seller")).toSorted();
}

async function starsOf(userId: string, role: Side): Promise<StarCounts> {
  const [row] = await db
    .select()
    .from(userRatings)
    .where(and(eq(userRatings.userId, userId), eq(userRatings.role, role)));
  return [row?.stars1 ?? 0, row?.stars2 ?? 0, row?.stars3 ?? 0, row?.stars4 ?? 0, row?.stars5 ?? 0];
}

function change(deal: Deal, side: Side, text: string, rating?: Stars, hours = 0, photoKeys: string[] = []) {
  return editReview(servicesAt(hours * HOUR), {
    itemId: deal.itemId,
    authorId: personOf(deal, side),
    tags: [],
    text,
    photoKeys,
    opened: null,
    ...(rating && { rating }),
  });
}

function reply(deal: Deal, by: Side, text: string) {
  return replyToReview(servicesAt(), { itemId: deal.itemId, by: personOf(deal, by), text });
}

describe("writing", () => {
  test("nobody sees the first review, and the second publishes both", async () => {
    const deal = await finishedDeal();
    expect(await review(deal, "buyer", { rating: 4, text: "Boils fast" })).toEqual({ ok: true, published: false });
    const [blind, html] = [
      await pageOf(deal, "seller"),
      await (await visit(`/reviews/${deal.itemId}`, { as: deal.sellerId })).text(),
    ];
    expect(blind).toMatchObject({ others: null, othersHasWritten: true, refusal: null });
    expect(JSON.stringify(blind) + html).not.toContain("Boils fast");
    expect((await findNewestReviews(servicesAt(), deal.sellerId, deal.sellerId)).reviews).toEqual([]);
    expect(await starsOf(deal.sellerId, "seller")).toEqual([0, 0, 0, 0, 0]);
    expect(await mailsAbout(deal)).toEqual(["written seller"]);

    expect(await review(deal, "seller", { rating: 5, text: "On time" })).toEqual({ ok: true, published: true });
    expect(await pageOf(deal, "seller")).toMatchObject({ others: { text: "Boils fast" }, own: { text: "On time" } });
    expect(await pageOf(deal, "buyer")).toMatchObject({ others: { text: "On time" }, own: { text: "Boils fast" } });
    expect(await starsOf(deal.sellerId, "seller")).toEqual([0, 0, 0, 1, 0]);
    expect(await starsOf(deal.buyerId, "buyer")).toEqual([0, 0, 0, 0, 1]);
    expect(await mailsAbout(deal)).toEqual(["published buyer", "published seller", "written seller"]);
  });

  test("both at once: both are published, whoever is first", async () => {
    const deal = await finishedDeal();
    const answers = await Promise.all([review(deal, "buyer"), review(deal, "seller")]);
    expect(answers.every(({ ok }) => ok)).toBe(true);
    const written = await reviewsOf(deal);
    expect(written).toHaveLength(2);
    expect(written.every(({ publishedAt }) => publishedAt !== null)).toBe(true);
    expect((await mailsAbout(deal)).filter((mail) => mail.startsWith("published"))).toHaveLength(2);
  });

  test("the same review, sent many times at once, is written once; another one is refused", async () => {
    const deal = await finishedDeal();
    const answers = await Promise.all(Array.from({ length: 4 }, () => review(deal, "buyer", { text: "Good" })));
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(await reviewsOf(deal)).toHaveLength(1);
    expect(await review(deal, "buyer", { text: "Bad", rating: 1 })).toEqual({ ok: false, code: "already_written" });
  });

  test("nobody reviews an unfinished deal, a cancelled one, another's, themselves, or after 30 days", async () => {
    const [unpaid, cancelled, done, own] = [
      await makeDeal(),
      await finishedDeal(),
      await finishedDeal(),
      await finishedDeal(),
    ];
    await env.DB.prepare("UPDATE orders SET user_id = ? WHERE id = ?").bind(own.sellerId, own.orderId).run();
    expect(await review(own, "seller")).toEqual({ ok: false, code: "not_found" });
    await env.DB.prepare("UPDATE order_items SET status = 'cancelled' WHERE id = ?").bind(cancelled.itemId).run();
    for (const deal of [unpaid, cancelled])
      expect(await review(deal, "buyer")).toEqual({ ok: false, code: "not_finished" });
    const stranger = { ...done, buyerId: await makeUser() };
    expect(await review(stranger, "buyer")).toEqual({ ok: false, code: "not_found" });
    expect(await review(done, "seller", { hours: 31 * DAY_HOURS })).toEqual({ ok: false, code: "too_late" });
    for (const deal of [unpaid, cancelled, done]) expect(await reviewsOf(deal)).toEqual([]);
  });

  test("two people can't raise each other's rating with free items again and again", async () => {
    const first = await finishedDeal({ price: 0 });
    const dealAgain = async (price: number) => {
      const deal = await finishedDeal({ price, sellerId: first.sellerId });
      await env.DB.prepare("UPDATE orders SET user_id = ? WHERE id = ?").bind(first.buyerId, deal.orderId).run();
      return { ...deal, buyerId: first.buyerId };
    };
    const [second, bought] = [await dealAgain(0), await dealAgain(100)];
    const both = await Promise.all([review(first, "buyer"), review(second, "buyer")]);
    expect(both.filter((result) => !result.ok)).toEqual([{ ok: false, code: "free_again" }]);
    const [reviewed, refused] = (await reviewsOf(first)).length === 1 ? [first, second] : [second, first];
    expect(await review(reviewed, "seller")).toMatchObject({ ok: true });
    expect(await review(refused, "seller")).toEqual({ ok: false, code: "free_again" });
    const html = await (await visit(`/reviews/${refused.itemId}`, { as: refused.buyerId })).text();
    expect(html).toContain("only items that cost something can be reviewed");
    expect(await (await visit(`/orders/${refused.orderId}`, { as: refused.buyerId })).text()).not.toContain(
      "How was it?",
    );
    expect(await review(bought, "buyer", { rating: 2 })).toMatchObject({ ok: true });
  });

  test("whoever has deleted their account in another tab writes and changes nothing more", async () => {
    const [deal, other] = [await finishedDeal(), await finishedDeal()];
    await review(deal, "buyer", { text: "Boils fast" });
    for (const { buyerId } of [deal, other])
      await db.update(profiles).set({ deletedAt: Date.now() }).where(eq(profiles.id, buyerId));
    expect(await change(deal, "buyer", "My number is 0712 345 678")).toEqual({ ok: false, code: "not_found" });
    expect(await review(other, "buyer", { text: "Call me" })).toEqual({ ok: false, code: "not_found" });
    expect(await reviewsOf(other)).toEqual([]);
  });

  test("a deal that was handed over with the code can be reviewed, and its order's page invites to it", async () => {
    const deal = await payDeal();
    expect(await (await visit(`/orders/${deal.orderId}`, { as: deal.buyerId })).text()).not.toContain("How was it?");
    await applyDealEvent(
      { ...servicesAt(), deals: { inspectionHours: 48, codeKey: "k" } },
      { itemId: deal.itemId, event: "code_entered", by: deal.sellerId },
    );
    for (const [path, as] of [
      [`/orders/${deal.orderId}`, deal.buyerId],
      [`/seller/orders/${deal.itemId}`, deal.sellerId],
    ] as const) {
      const html = await (await visit(path, { as })).text();
      expect(html).toContain("How was it?");
      expect(html).toContain(`/reviews/${deal.itemId}`);
    }
  });

  test("a form without scripts writes stars, tags and words, and a refused one keeps what was typed", async () => {
    const deal = await finishedDeal();
    const form = new FormData();
    for (const [name, value] of [
      ["intent", "write"],
      ["text", "Boils fast"],
      ["tags", "friendly"],
      ["tags", "as_described"],
    ] as const)
      form.append(name, value);
    const refused = await visit(`/reviews/${deal.itemId}`, { as: deal.buyerId, form });
    expect(refused.status).toBe(400);
    const html = await refused.text();
    expect(html).toContain("Choose how many stars");
    expect(html).toContain("Boils fast");
    form.append("rating", "4");
    expect((await visit(`/reviews/${deal.itemId}`, { as: deal.buyerId, form })).status).toBe(302);
    expect(await reviewBy(deal, "buyer")).toMatchObject({
      rating: 4,
      text: "Boils fast",
      tags: ["friendly", "as_described"],
      subjectRole: "seller",
    });
  });
});

describe("after a week", () => {
  test("a review is published alone, once, and the other side can only reply to it", async () => {
    await db.delete(reviews);
    const deal = await finishedDeal();
    await review(deal, "buyer", { rating: 2 });
    expect(await publishDueReviews(servicesAt(7 * DAY_HOURS * HOUR - HOUR))).toBe(0);
    const later = servicesAt(7 * DAY_HOURS * HOUR + HOUR);
    const published = await Promise.all([publishDueReviews(later), publishDueReviews(later)]);
    expect(published.toSorted()).toEqual([0, 1]);
    expect(await starsOf(deal.sellerId, "seller")).toEqual([0, 1, 0, 0, 0]);
    expect(await mailsAbout(deal)).toEqual(["published seller", "written seller"]);
    expect(await review(deal, "seller", { hours: 8 * DAY_HOURS })).toEqual({ ok: false, code: "other_published" });
    expect(await reply(deal, "seller", "Sorry about that")).toEqual({ ok: true });
  });

  describe("of a deal that a report gave back to our team", () => {
    const decideOn = 8;
    const days = (count: number) => servicesAt(count * DAY_HOURS * HOUR);

    async function decidedDeal(): Promise<Deal> {
      const deal = await payDeal();
      await applyDealEvent(servicesAt(), { itemId: deal.itemId, event: "code_entered", by: deal.sellerId });
      await review(deal, "buyer", { rating: 1 });
      const { buyerId, orderId, itemId } = deal;
      await reportIssue(servicesAt(), { userId: buyerId, orderId, itemId, description: "It rattles" });
      await advanceDeals(servicesAt());
      expect(await review(deal, "seller", { hours: DAY_HOURS })).toEqual({ ok: false, code: "not_finished" });
      expect(await publishDueReviews(days(decideOn))).toBe(0);
      const html = await (await visit(`/reviews/${itemId}`, { as: buyerId })).text();
      expect(html).toContain("Our team decides about the deal first.");
      const event = { itemId, event: "team_released", by: (await makeAdmin()).id } as const;
      expect(await applyDealEvent(days(decideOn), event)).toMatchObject({ ok: true });
      return deal;
    }

    test("nothing is published meanwhile, and the other side can still write", async () => {
      await db.delete(reviews);
      const deal = await decidedDeal();
      expect(await publishDueReviews(days(decideOn + 1))).toBe(0);
      expect(await review(deal, "seller", { hours: (decideOn + 1) * DAY_HOURS })).toEqual({
        ok: true,
        published: true,
      });
    });

    test("it is published alone a week after the decision, as its author reads", async () => {
      await db.delete(reviews);
      const deal = await decidedDeal();
      expect((await pageOf(deal, "buyer"))?.publishAt).toBeGreaterThan(days(decideOn + 7).now() - HOUR);
      expect(await publishDueReviews(days(decideOn + 6.9))).toBe(0);
      expect(await publishDueReviews(days(decideOn + 7.1))).toBe(1);
    });
  });

  test("one that our team has removed before its week is over is told to nobody", async () => {
    await db.delete(reviews);
    const deal = await finishedDeal();
    await review(deal, "buyer", { rating: 2 });
    await db.update(reviews).set({ removedAt: 1 }).where(eq(reviews.orderItemId, deal.itemId));
    expect(await publishDueReviews(servicesAt(8 * DAY_HOURS * HOUR))).toBe(1);
    expect(await mailsAbout(deal)).toEqual(["written seller"]);
    expect(await starsOf(deal.sellerId, "seller")).toEqual([0, 0, 0, 0, 0]);
  });

  test("whoever sends theirs too late reads why, and keeps the words for a reply", async () => {
    const deal = await finishedDeal();
    await review(deal, "buyer", { text: "Boils fast" });
    await publishDueReviews(servicesAt(8 * DAY_HOURS * HOUR));
    const form = { intent: "write", rating: "4", text: "A friendly buyer" };
    const refused = await visit(`/reviews/${deal.itemId}`, { as: deal.sellerId, form });
    expect(refused.status).toBe(409);
    const html = await refused.text();
    expect(html).toContain("A friendly buyer");
    expect(html).toContain("You can copy your words into a reply.");
    expect(html).not.toContain("Send Review");
    expect(html).toContain("Publish Reply");
  });

  test("one that can't be published doesn't stop the others", async () => {
    await db.delete(reviews);
    const [broken, deal] = [await finishedDeal(), await finishedDeal()];
    await review(broken, "buyer");
    await review(deal, "buyer");
    await env.DB.prepare("UPDATE reviews SET tags = 'no JSON' WHERE order_item_id = ?").bind(broken.itemId).run();
    const failures: unknown[] = [];
    const log = (event: object) => void failures.push(event);
    expect(await publishDueReviews({ ...servicesAt(8 * DAY_HOURS * HOUR), log })).toBe(1);
    expect((await reviewBy(deal, "buyer")).publishedAt).not.toBeNull();
    expect(failures).toMatchObject([{ event: "review_publish_failed" }]);
    await db.delete(reviews);
  });

  test("the schedule publishes it", async () => {
    const deal = await finishedDeal();
    await review(deal, "seller");
    await runSchedule(servicesAt(8 * DAY_HOURS * HOUR));
    expect((await reviewBy(deal, "seller")).publishedAt).not.toBeNull();
  });
});

describe("changing", () => {
  test("everything can change before publication; then the stars stay, and changed words say so", async () => {
    const deal = await finishedDeal();
    await review(deal, "buyer", { rating: 3, text: "OK" });
    expect(await change(deal, "buyer", "Good", 4)).toEqual({ ok: true, isUnchanged: false });
    expect(await reviewBy(deal, "buyer")).toMatchObject({ rating: 4, text: "Good", editedAt: null });
    await review(deal, "seller");
    expect(await change(deal, "buyer", "Bad", 1)).toEqual({ ok: false, code: "stars_fixed" });
    // The same words again are no change.
    expect(await change(deal, "buyer", "Good")).toEqual({ ok: true, isUnchanged: true });
    expect((await reviewBy(deal, "buyer")).editedAt).toBeNull();
    expect(await change(deal, "buyer", "Very good")).toMatchObject({ ok: true });
    expect(await reviewBy(deal, "buyer")).toMatchObject({ rating: 4, text: "Very good", editedAt: expect.any(Number) });
    expect(await change(deal, "buyer", "Late", undefined, 25)).toEqual({ ok: false, code: "too_late" });
    await setRemoved(deal, "buyer", 1);
    expect(await change(deal, "buyer", "Again")).toEqual({ ok: false, code: "removed" });
    expect(await starsOf(deal.sellerId, "seller")).toEqual([0, 0, 0, 0, 0]);
  });

  test("what another tab changed meanwhile stays, and what both changed is asked about", async () => {
    const deal = await finishedDeal();
    const first = { rating: 3 as Stars, tags: ["friendly" as const], text: "OK", photoKeys: [] };
    await review(deal, "buyer", first);
    const opened = writeOpened(reviewTexts(first));
    const send = async (fields: Record<string, string>) => {
      const form = { intent: "edit", rating: "3", tags: "friendly", text: "OK", opened, ...fields };
      const answer = await visit(`/reviews/${deal.itemId}`, { as: deal.buyerId, form });
      return { status: answer.status, html: await answer.text() };
    };
    // Another tab changes the stars and the words. This one has the old words, and changes the tags.
    expect(await send({ rating: "5", text: "Good" })).toMatchObject({ status: 302 });
    expect(await send({ tags: "on_time" })).toMatchObject({ status: 302 });
    const saved = { rating: 5, text: "Good", tags: ["on_time"] };
    expect(await reviewBy(deal, "buyer")).toMatchObject(saved);

    const asked = await send({ text: "Bad", rating: "1", tags: "late" });
    expect(asked.status).toBe(409);
    expect(asked.html).toContain("Changed meanwhile to &quot;Good&quot;; you wrote &quot;Bad&quot;.");
    expect(asked.html).toContain("Changed meanwhile to 5 stars; you wrote 1 star.");
    expect(asked.html).toContain("Changed meanwhile to “On time”; you wrote “Late”.");
    expect(await reviewBy(deal, "buyer")).toMatchObject(saved);

    const now = /name="opened" value="([^"]*)"/.exec(asked.html)?.[1]?.replaceAll("&quot;", '"') ?? "";
    expect(await send({ text: "Bad", rating: "1", tags: "late", opened: now })).toMatchObject({ status: 302 });
    expect(await reviewBy(deal, "buyer")).toMatchObject({ rating: 1, text: "Bad", tags: ["late"] });
  });

  test("stars that change while the other side writes are changed before the publication, or not at all", async () => {
    for (let round = 0; round < 5; round += 1) {
      const deal = await finishedDeal();
      await review(deal, "buyer", { rating: 5 });
      const [changed] = await Promise.all([change(deal, "buyer", "", 1), review(deal, "seller")]);
      const { rating, publishedAt } = await reviewBy(deal, "buyer");
      expect(publishedAt).not.toBeNull();
      expect(rating).toBe(changed.ok ? 1 : 5);
      expect(await starsOf(deal.sellerId, "seller")).toEqual(changed.ok ? [1, 0, 0, 0, 0] : [0, 0, 0, 0, 1]);
    }
  });
});

test("the reviewed person replies once, after publication", async () => {
  const deal = await finishedDeal();
  expect(await reply(deal, "seller", "Thanks")).toEqual({ ok: false, code: "not_found" });
  await review(deal, "buyer");
  expect(await reply(deal, "seller", "Thanks")).toEqual({ ok: false, code: "not_published" });
  await review(deal, "seller");
  const twice = await Promise.all([reply(deal, "seller", "Thanks"), reply(deal, "seller", "Thanks")]);
  expect(twice).toEqual([{ ok: true }, { ok: true }]);
  expect(await reply(deal, "seller", "And more")).toEqual({ ok: false, code: "already_replied" });
  expect((await reviewBy(deal, "buyer")).reply).toBe("Thanks");
  const stranger = { ...deal, sellerId: await makeUser() };
  expect(await reply(stranger, "seller", "Spam")).toEqual({ ok: false, code: "not_found" });
});

describe("photos", () => {
  const sizes = variantSizes({ width: 1000, height: 800 }) ?? [];

  async function upload(ownerId: string, content = crypto.randomUUID()): Promise<string> {
    const stored = await storePhoto(servicesAt(), ownerId, {
      variants: sizes.map((size) => ({ picture: { kind: "webp", ...size }, bytes: new TextEncoder().encode(content) })),
      tone: "#aabbcc",
      thumbhash: "",
    });
    if (!stored.ok) throw new Error(stored.code);
    return stored.image.key;
  }

  async function isStored(key: string): Promise<boolean> {
    return (await db.select().from(uploads).where(eq(uploads.key, key))).length > 0;
  }

  test("a buyer's are kept by the sweep as long as the review has them; a seller's and a stranger's aren't taken", async () => {
    const deal = await finishedDeal();
    const [kept, dropped, foreign] = [
      await upload(deal.buyerId),
      await upload(deal.buyerId),
      await upload(deal.sellerId),
    ];
    expect(await review(deal, "buyer", { photoKeys: [foreign] })).toEqual({ ok: false, code: "photos" });
    expect(await review(deal, "buyer", { photoKeys: [kept, dropped] })).toMatchObject({ ok: true });
    expect(await change(deal, "buyer", "", undefined, 0, [kept])).toMatchObject({ ok: true });
    expect(await review(deal, "seller", { photoKeys: [foreign] })).toMatchObject({ ok: true });
    expect((await reviewBy(deal, "seller")).photos).toEqual([]);
    expect((await reviewBy(deal, "buyer")).photos.map(({ key }) => key)).toEqual([kept]);
    // Even if it is marked as detached, because something else used it, too.
    await db.update(uploads).set({ attachedAt: null }).where(eq(uploads.key, kept));
    await sweepUnusedPhotos(servicesAt(2 * DAY_HOURS * HOUR));
    expect([await isStored(kept), await isStored(dropped)]).toEqual([true, false]);
  });
});

describe("deleted accounts", () => {
  test("an author's words and photos go, and the stars stay; reviews about the person go", async () => {
    const deal = await finishedDeal();
    await review(deal, "buyer", { rating: 4, text: "I am Wanjiku" });
    await review(deal, "seller", { rating: 5, text: "Wanjiku was on time" });
    expect(await deleteAccount(servicesAt(), deal.buyerId)).toMatchObject({ ok: true });
    expect(await reviewsOf(deal)).toMatchObject([{ authorId: deal.buyerId, rating: 4, text: "", photos: [] }]);
    expect(await starsOf(deal.sellerId, "seller")).toEqual([0, 0, 0, 1, 0]);
    expect(await starsOf(deal.buyerId, "buyer")).toEqual([0, 0, 0, 0, 0]);
    const page = await findNewestReviews(servicesAt(), deal.sellerId, null);
    expect(page.reviews).toMatchObject([{ author: "Deleted user", text: "" }]);
  });

  test("nobody reviews a person who is gone, even at the same moment", async () => {
    const [gone, racing] = [await finishedDeal(), await finishedDeal()];
    await deleteAccount(servicesAt(), gone.sellerId);
    expect(await review(gone, "buyer")).toEqual({ ok: false, code: "gone" });
    await Promise.all([deleteAccount(servicesAt(), racing.sellerId), review(racing, "buyer")]);
    expect(await reviewsOf(racing)).toEqual([]);
  });
});

describe("all reviews of a person", () => {
  test("visitors read those of a seller: newest first, in pages, with first names only and without removed ones", async () => {
    const sellerId = await makeUser({ name: "Brian Otieno", phone: "254722000066" });
    await env.DB.prepare("UPDATE profiles SET is_seller = 1 WHERE id = ?").bind(sellerId).run();
    for (let at = 0; at < 23; at += 1) {
      const deal = await finishedDeal({ sellerId, ...(at === 3 && { status: "refunded" }) });
      await review(deal, "buyer", { text: `Number ${at}.`, hours: at / 60 });
      await review(deal, "seller", { hours: at / 60 });
    }
    await write(db, [
      build.update(reviews).set({ removedAt: 1 }).where(eq(reviews.text, "Number 22.")),
      ...afterReviewsChanged(reviewedIn(eq(reviews.text, "Number 22."))),
    ]);
    const { meter, ...services } = meteredServices();
    const about = { personId: sellerId, as: "seller", viewerId: null } as const;
    const first = await findPersonReviews(services, { ...about, after: null });
    expect(meter.trips).toBe(1);
    // Of 22 reviews it reads 21, each with its deal and its author.
    expect(meter.rowsRead).toBeLessThan(80);
    const second = await findPersonReviews(services, { ...about, after: first?.next ?? null });
    const texts = [...(first?.reviews ?? []), ...(second?.reviews ?? [])].map(({ text }) => text);
    expect(texts).toEqual(Array.from({ length: 22 }, (_, at) => `Number ${21 - at}.`));
    expect(first?.reviews).toHaveLength(20);
    expect(second?.next).toBeNull();
    expect(first?.stars).toEqual([0, 0, 0, 0, 22]);
    expect(second?.reviews.filter(({ isRefunded }) => isRefunded)).toHaveLength(0);

    const html = await (await visit(`/people/${sellerId}/reviews?as=seller`)).text();
    expect(html).toContain("Reviews of Brian");
    expect(html).toContain("This deal was refunded");
    expect(html).toContain("Wanjiku");
    for (const secret of ["Otieno", "254722000066", "@campus.test"]) expect(html).not.toContain(secret);
    const [id = "", reader] = [second?.reviews[0]?.id, await makeUser()];
    const report = await (await visit(`/report/review/${id}`, { as: reader })).text();
    expect(report).toContain("tell Wanjiku who reported it");
    const seller = await (await visit(`/seller/${sellerId}`)).text();
    expect(seller).toContain("Number 21.");
    expect(seller).not.toContain("Number 18.");
  });
});

// ------------------------------------------------------------- the checker

type Step =
  | { kind: "write" | "edit"; deal: number; side: Side; rating: Stars }
  | { kind: "remove" | "restore"; deal: number; side: Side }
  | { kind: "refund"; deal: number }
  | { kind: "days"; days: number }
  | { kind: "delete"; deal: number; side: Side };

const deal = fc.nat({ max: 4 });
const side = fc.constantFrom<Side>("buyer", "seller");
const rating = fc.constantFrom(...STARS);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("write" as const), deal, side, rating }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("edit" as const), deal, side, rating }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("remove" as const, "restore" as const), deal, side }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("refund" as const), deal }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("days" as const), days: fc.constantFrom(1, 4, 8) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), deal, side }) },
);

/** A deal, and the number that paid it; "seller": the number that the seller is paid on. */
type Paid = Deal & { paidFrom: string };

/** The reviews that count: the latest of each author, of buyers who are neither the seller nor one who paid before. */
function voicesOf(shown: readonly (typeof reviews.$inferSelect)[], deals: readonly Paid[]) {
  const honest = deals.filter(({ paidFrom }) => paidFrom !== "seller");
  const isOwnPerson = (sellerId: string, buyerId: string) => {
    const sales = honest.filter((one) => one.sellerId === sellerId);
    const first = sales.find((one) => one.buyerId === buyerId);
    // Their first deal didn't use the number of an earlier buyer, or a later one brought a number of their own.
    const taken = new Map<string, string>();
    for (const one of sales)
      if (![...taken.values()].includes(one.buyerId) && !taken.has(one.paidFrom)) taken.set(one.paidFrom, one.buyerId);
    return first !== undefined && [...taken.values()].includes(buyerId);
  };
  const counting = shown.filter(
    (one) =>
      honest.some(({ itemId }) => itemId === one.orderItemId) &&
      (one.subjectRole === "buyer" || isOwnPerson(one.subjectId, one.authorId)),
  );
  const placeOf = (one: (typeof shown)[number]) => `${String(one.publishedAt).padStart(15, "0")} ${one.id}`;
  return counting.filter(
    (one) =>
      !counting.some(
        (other) =>
          other.authorId === one.authorId &&
          other.subjectId === one.subjectId &&
          other.subjectRole === one.subjectRole &&
          placeOf(other) > placeOf(one),
      ),
  );
}

/** Removes a published review, or shows it again. */
async function setRemoved(about: Deal, by: Side, removedAt: number | null): Promise<void> {
  const isThis = and(
    eq(reviews.orderItemId, about.itemId),
    eq(reviews.authorId, personOf(about, by)),
    isNotNull(reviews.publishedAt),
  );
  await write(db, [
    build.update(reviews).set({ removedAt }).where(isThis),
    ...afterReviewsChanged(reviewedIn(sql`${isThis}`)),
  ]);
}

/** What `user_ratings` and `shops.rating_score` should be, counted from the reviews. */
async function expectAggregates(
  people: readonly string[],
  shopIds: readonly string[],
  deals: readonly Paid[],
): Promise<void> {
  const shown = await db
    .select()
    .from(reviews)
    .where(and(isNotNull(reviews.publishedAt), isNull(reviews.removedAt)));
  const voices = voicesOf(shown, deals);
  const count = (userId: string, role: Side) =>
    STARS.map(
      (stars) =>
        voices.filter((one) => one.subjectId === userId && one.subjectRole === role && one.rating === stars).length,
    ) as unknown as StarCounts;
  for (const userId of people)
    for (const role of REVIEW_ROLES) expect(await starsOf(userId, role)).toEqual(count(userId, role));
  for (const { id, score } of await db.select({ id: shops.id, score: shops.ratingScore }).from(shops))
    if (shopIds.includes(id)) expect(score).toBe(ratingScore(count(id, "seller")));
}

const payment = fc.record({
  buyer: fc.nat({ max: 2 }),
  paidFrom: fc.constantFrom("seller", "254711000001", "254711000002", "254711000003"),
});
const payments = fc.array(payment, { minLength: 5, maxLength: 5 });

test("counts and scores equal the reviews after any steps", async () => {
  await fc.assert(
    fc.asyncProperty(payments, fc.array(step, { minLength: 8, maxLength: 20 }), async (paid, steps) => {
      const sellers = [await makeUser({ phone: "254711000008" }), await makeUser({ phone: "254711000009" })];
      const buyers = [await makeUser(), await makeUser(), await makeUser()];
      for (const id of sellers)
        await db.insert(shops).values({ id, shopName: "Duka", createdAt: Date.now(), updatedAt: Date.now() });
      const deals: Paid[] = [];
      for (const [at, { buyer, paidFrom }] of paid.entries()) {
        const [sellerId = "", buyerId = ""] = [sellers[at % 2], buyers[buyer]];
        const phone = paidFrom === "seller" ? `25471100000${8 + (at % 2)}` : paidFrom;
        deals.push({ ...(await finishedDeal({ sellerId, buyerId, paidFrom: phone })), paidFrom });
      }
      const people = [...sellers, ...buyers];
      let hours = 0;
      for (const taken of steps) {
        if (taken.kind === "days") {
          hours += taken.days * DAY_HOURS;
          await publishDueReviews(servicesAt(hours * HOUR));
        } else {
          const about = deals[taken.deal];
          if (!about) throw new Error("no such deal");
          if (taken.kind === "write") await review(about, taken.side, { rating: taken.rating, hours });
          if (taken.kind === "edit") await change(about, taken.side, `${taken.rating}`, taken.rating, hours);
          if (taken.kind === "refund")
            await env.DB.prepare("UPDATE order_items SET status = 'refunded' WHERE id = ?").bind(about.itemId).run();
          if (taken.kind === "remove" || taken.kind === "restore")
            await setRemoved(about, taken.side, taken.kind === "remove" ? 1 : null);
          if (taken.kind === "delete") await deleteAccount(servicesAt(hours * HOUR), personOf(about, taken.side));
        }
        await expectAggregates(people, sellers, deals);
      }
      for (const about of deals) {
        const written = await reviewsOf(about);
        // Once both have written, both are published.
        if (written.length === 2) expect(written.every(({ publishedAt }) => publishedAt !== null)).toBe(true);
        expect(new Set(written.map(({ authorId }) => authorId)).size).toBe(written.length);
      }
    }),
    { numRuns: 6 },
  );
}, 120_000);
