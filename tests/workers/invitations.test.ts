/** Bring a friend: who came by whose link, which deal counts, and the week that it brings both. */
import { FRIENDS_COUNT_MAX } from "#app/accounts/invitations/invitation-rules.ts";
import { eq, like } from "drizzle-orm";
import { expect, test } from "vitest";
import { credentials, invitations, profiles, shops } from "#app/accounts/tables.server.ts";
import { signInWithIssuer } from "#app/accounts/login/issuer-sign-in.server.ts";
import { GOOGLE } from "#tests/support/issuers.ts";
import { signUp } from "#app/accounts/login/sign-up.server.ts";
import { openFirstShop } from "#app/catalogue/selling/listings.server.ts";
import { write } from "#app/db/batch.ts";
import { idList } from "#app/db/build.ts";
import { decideCase } from "#app/moderation/cases/decide-case.server.ts";
import { openHeldCases } from "#app/moderation/cases/held-cases.server.ts";
import { moderationCases } from "#app/moderation/tables.server.ts";
import { findUncountedDeals } from "#app/deals/invitations.server.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { notifications } from "#app/notifications/tables.server.ts";
import { orders } from "#app/orders/tables.server.ts";
import { paymentAttempts } from "#app/payments/tables.server.ts";
import { invitationPath } from "#app/public-links.ts";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import {
  changeListing,
  db,
  type Deal,
  makeProduct,
  makeUser,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { payDeal } from "#tests/support/paid-deal.ts";
import { studentForm } from "#tests/support/sign-up.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";

const DAY = 24 * 60 * 60_000;

const somebody = () => makeUser({ phone: uniquePhone("50") });

async function openShop(id: string): Promise<void> {
  await makeProduct(id);
  await write(db, openFirstShop({ id, name: "Wanjiku Otieno" }, servicesAt().now()));
}

/** Somebody with a shop. */
async function seller(): Promise<string> {
  const id = await somebody();
  await openShop(id);
  return id;
}

/** A member who came by the link of `inviterId`. */
async function friendOf(inviterId: string, phone: string | null = uniquePhone("50")): Promise<string> {
  const invitedId = await makeUser({ phone });
  await db.insert(invitations).values({ invitedId, inviterId, createdAt: Date.now() });
  return invitedId;
}

const end = ({ itemId, sellerId }: Deal, offsetMs = 0) =>
  applyDealEvent(servicesAt(offsetMs), { itemId, event: "code_entered", by: sellerId });

/** A deal that ends with the code. */
async function trade(parties: Parameters<typeof payDeal>[0], offsetMs = 0): Promise<void> {
  expect(await end(await payDeal(parties), offsetMs)).toMatchObject({ ok: true });
}

/** How many days somebody's shop is featured from now on; null where it isn't. */
async function daysOf(id: string): Promise<number | null> {
  const [shop] = await db.select({ until: shops.featuredUntil }).from(shops).where(eq(shops.id, id));
  return shop?.until ? Math.round((shop.until - Date.now()) / DAY) : null;
}

async function invitationOf(invitedId: string) {
  const [row] = await db.select().from(invitations).where(eq(invitations.invitedId, invitedId));
  return row;
}

const toldOf = async (invitedId: string) =>
  (
    await db
      .select({ userId: notifications.userId, data: notifications.data })
      .from(notifications)
      .where(like(notifications.key, `friend_came:${invitedId}:%`))
  ).toSorted((a, b) => a.userId.localeCompare(b.userId));

test("the first deal of a friend brings both a week, once, and each is told", async () => {
  const inviterId = await seller();
  const friend = await friendOf(inviterId);
  await openShop(friend);
  await trade({ buyerId: friend });
  expect([await daysOf(inviterId), await daysOf(friend)]).toEqual([7, 7]);
  const told = await toldOf(friend);
  expect(told.map(({ userId, data }) => [userId, (data as { role: string }).role]).toSorted()).toEqual(
    [
      [friend, "invited"],
      [inviterId, "inviter"],
    ].toSorted(),
  );
  // Of what they sell it would count, too, but it counts once.
  await trade({ sellerId: friend });
  expect([await daysOf(inviterId), await daysOf(friend)]).toEqual([7, 7]);
  expect(await toldOf(friend)).toEqual(told);
  // A second friend adds to what is left.
  await trade({ sellerId: await friendOf(inviterId) });
  expect(await daysOf(inviterId)).toBe(14);
});

test("a week waits for whoever has nothing for sale", async () => {
  const inviterId = await seller();
  const friend = await friendOf(inviterId);
  await trade({ buyerId: friend });
  expect([await daysOf(inviterId), await daysOf(friend)]).toEqual([7, null]);
  const told = await toldOf(friend);
  expect(told.find(({ userId }) => userId === friend)?.data).toMatchObject({ endsAt: null });
  expect(await (await visit("/invite", { as: friend })).text()).toContain("A week waits for you");
  await openShop(friend);
  await openShop(friend);
  expect(await daysOf(friend)).toBe(7);
  expect(await (await visit("/invite", { as: friend })).text()).toContain("Your shop is featured until");
});

test("a week that waits begins when a listing that was held is published", async () => {
  const friend = await friendOf(await seller());
  await trade({ buyerId: friend });
  const productId = await makeProduct(friend);
  await changeListing(productId, { suspendedAt: Date.now(), heldFor: "knife" });
  await write(db, [
    ...openHeldCases(idList(productId), Date.now()),
    ...openFirstShop({ id: friend, name: "Wanjiku Otieno" }, servicesAt().now()),
  ]);
  expect(await daysOf(friend)).toBeNull();
  const [held] = await db.select().from(moderationCases).where(eq(moderationCases.subjectId, productId));
  const decision = { caseId: held?.id ?? "", decision: "dismissed", statement: "" } as const;
  expect(await decideCase(servicesAt(), await makeAdmin(), decision)).toMatchObject({ ok: true });
  expect(await daysOf(friend)).toBe(7);
});

test("who pays for a plan keeps what an invitation brought, and weeks end eight weeks ahead", async () => {
  const inviterId = await seller();
  for (const weeks of [5, 8, 8]) {
    await db
      .update(shops)
      .set({ featuredUntil: Date.now() + weeks * 7 * DAY })
      .where(eq(shops.id, inviterId));
    await trade({ buyerId: await friendOf(inviterId) });
    expect(await daysOf(inviterId)).toBe(Math.min(56, weeks * 7 + 7));
  }
  await db
    .update(shops)
    .set({ featuredUntil: Date.now() + 90 * DAY })
    .where(eq(shops.id, inviterId));
  await trade({ buyerId: await friendOf(inviterId) });
  expect(await daysOf(inviterId)).toBe(90);
});

test("a deal that is no deal with a third person counts for nobody, and a later one does", async () => {
  const inviterId = await seller();
  const friend = await friendOf(inviterId);
  const phoneOf = async (id: string) =>
    (await db.select({ phone: profiles.phone }).from(profiles).where(eq(profiles.id, id)))[0]?.phone ?? "";
  const paidFrom = async (deal: Deal, phone: string) => {
    await db.update(orders).set({ phoneNumber: phone }).where(eq(orders.id, deal.orderId));
    await db.update(paymentAttempts).set({ phone }).where(eq(paymentAttempts.orderId, deal.orderId));
    return deal;
  };
  // With who invited them, from either side, and with another friend of theirs.
  await trade({ buyerId: friend, sellerId: inviterId });
  await trade({ buyerId: inviterId, sellerId: friend });
  await trade({ buyerId: friend, sellerId: await friendOf(inviterId) });
  // From the number on which who invited is paid, and from one that others have paid from.
  await end(await paidFrom(await payDeal({ buyerId: friend }), await phoneOf(inviterId)));
  const shared = uniquePhone("20");
  await paidFrom(await payDeal({ buyerId: await somebody() }), shared);
  await end(await paidFrom(await payDeal({ buyerId: friend }), shared));
  // The buyer is a second account of who invited.
  const second = await payDeal({ sellerId: friend });
  await end(await paidFrom(second, await phoneOf(inviterId)));
  // It ends without the code.
  const quiet = await payDeal({ buyerId: friend });
  await applyDealEvent(servicesAt(), { itemId: quiet.itemId, event: "cancelled_by_seller", by: quiet.sellerId });
  expect(await invitationOf(friend)).toMatchObject({ countedAt: null });
  expect([await daysOf(inviterId), await toldOf(friend)]).toEqual([null, []]);
  // Both read that it didn't count. Of the two friends who traded with each other, each had one.
  expect(await findUncountedDeals(servicesAt(), inviterId)).toEqual({ friends: 2, own: false });
  expect(await findUncountedDeals(servicesAt(), friend)).toEqual({ friends: 0, own: true });
  const { sellerId, ...deal } = await payDeal({ buyerId: friend });
  await end(await paidFrom({ sellerId, ...deal }, await phoneOf(friend)));
  expect(await daysOf(inviterId)).toBe(7);
  expect(await findUncountedDeals(servicesAt(), inviterId)).toEqual({ friends: 1, own: false });
  expect(await findUncountedDeals(servicesAt(), friend)).toEqual({ friends: 0, own: false });
});

test("one code counts once, also for both sides and at the same moment", async () => {
  const [one, other] = [await seller(), await seller()];
  const [buyerId, sellerId] = [await friendOf(one), await friendOf(other)];
  await openShop(sellerId);
  const deal = await payDeal({ buyerId, sellerId });
  await Promise.all([end(deal), end(deal)]);
  expect(await Promise.all([one, other, sellerId, buyerId].map(daysOf))).toEqual([7, 7, 7, null]);
});

test("the sign-up stores by whose link somebody came, and takes an address nobody has for none", async () => {
  const inviterId = await makeUser({ name: "Wanjiru Kamau" });
  const path = invitationPath(inviterId);
  const opened = await visit(path, {});
  const to = opened.headers.get("Location") ?? "";
  expect(to).toBe(`/auth/signup?to=${encodeURIComponent(path)}`);
  const form = await (await visit(to, {})).text();
  expect(form).toContain("Wanjiru invites you");
  expect(form).not.toContain("Kamau");
  const join = async (link: string | null) => {
    const joined = await signUp(servicesAt(), { values: studentForm(), document: null, address: null, to: link });
    return joined.ok ? invitationOf(joined.userId) : null;
  };
  expect(await join(path)).toMatchObject({ inviterId, countedAt: null });
  expect(await join("/join/zzzzzzzzz0")).toBeUndefined();
  expect(await join("/home")).toBeUndefined();
  const identity = { subject: crypto.randomUUID(), email: `${crypto.randomUUID()}@gmail.com`, emailVerified: true };
  const google = await signInWithIssuer(servicesAt(), GOOGLE, { ...identity, name: "Asha" }, path);
  expect(google.ok && (await invitationOf(google.userId))).toMatchObject({ inviterId });
  // Who had an account before isn't invited by logging in.
  const again = await signInWithIssuer(
    servicesAt(),
    GOOGLE,
    { ...identity, name: "Asha" },
    invitationPath(await makeUser()),
  );
  expect(again.ok && (await invitationOf(again.userId))).toMatchObject({ inviterId });
  await db.update(credentials).set({ suspendedAt: Date.now() }).where(eq(credentials.id, inviterId));
  expect(await join(path)).toBeUndefined();
});

test("whoever takes over an address that somebody else signed up with was invited by nobody", async () => {
  const values = studentForm();
  const joined = await signUp(servicesAt(), {
    values,
    document: null,
    address: null,
    to: invitationPath(await makeUser()),
  });
  const identity = { subject: crypto.randomUUID(), email: values.email, emailVerified: true, name: "Asha" };
  expect(await signInWithIssuer(servicesAt(), GOOGLE, identity)).toMatchObject({ ok: true });
  expect(joined.ok && (await invitationOf(joined.userId))).toBeUndefined();
});

test("a friend keeps the promise when who invited them has gone, and goes without a trace", async () => {
  const inviterId = await somebody();
  const friend = await friendOf(inviterId);
  await openShop(friend);
  await deleteAccount(servicesAt(), inviterId);
  expect(await invitationOf(friend)).toMatchObject({ inviterId: null });
  expect(await (await visit("/invite", { as: friend })).text()).toContain("A friend invited you");
  await trade({ sellerId: friend });
  expect(await daysOf(friend)).toBe(7);
  expect(await toldOf(friend)).toHaveLength(1);
  const other = await friendOf(await somebody());
  await deleteAccount(servicesAt(), other);
  expect(await invitationOf(other)).toBeUndefined();
  // What has counted stays, so that nobody comes again as a new friend.
  await deleteAccount(servicesAt(), friend);
  expect(await invitationOf(friend)).toMatchObject({ countedAt: expect.any(Number) });
});

test("so many friends of one inviter count in half a year", async () => {
  const inviterId = await somebody();
  await openShop(inviterId);
  for (let n = 0; n < FRIENDS_COUNT_MAX; n += 1) {
    const invitedId = await somebody();
    await db.insert(invitations).values({ invitedId, inviterId, createdAt: 0, countedAt: servicesAt().now() });
  }
  const friend = await friendOf(inviterId);
  await trade({ sellerId: friend });
  expect(await invitationOf(friend)).toMatchObject({ countedAt: null });
  await db.update(invitations).set({ countedAt: 1 }).where(eq(invitations.inviterId, inviterId));
});
