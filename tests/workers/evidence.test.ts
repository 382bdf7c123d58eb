/** What somebody is held to can't be rewritten, by an edit or by deleting the account. */
import { env } from "cloudflare:workers";
import { nameColumns } from "#app/accounts/trust/person-name-rules.ts";
import { and, desc, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { sweepUnusedPhotos } from "#app/admin/operations/sweep-photos.server.ts";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import { sweepDeletedAccounts } from "#app/moderation/erase.server.ts";
import { askForEmailChange, changeEmail, findEmailLink } from "#app/accounts/login/email-change.server.ts";
import { takeBack } from "#app/accounts/login/take-back.server.ts";
import { lookAgainAtNumber } from "#app/payments/transfers/payouts.server.ts";
import { emailTokenOf } from "#app/accounts/login/email-tokens.server.ts";
import { signInWithIssuer } from "#app/accounts/login/issuer-sign-in.server.ts";
import { GOOGLE } from "#tests/support/issuers.ts";
import { EMAIL_BARRED_ERROR } from "#app/accounts/login/sign-up-rules.ts";
import { signUp } from "#app/accounts/login/sign-up.server.ts";
import { decideCase } from "#app/moderation/cases/decide-case.server.ts";
import { findCasePage } from "#app/moderation/cases/find-case.server.ts";
import { findProblemDetails } from "#app/admin/problems/problems.server.ts";
import { deleteListing } from "#app/catalogue/selling/listings.server.ts";
import { blocks, emailTokens, profiles, rememberedEmails, shops, uploads } from "#app/accounts/tables.server.ts";
import { copies } from "#app/db/tables.server.ts";
import { issueReports, orderItems, orders } from "#app/orders/tables.server.ts";
import { moderationCases } from "#app/moderation/tables.server.ts";
import type { products } from "#app/catalogue/tables.server.ts";
import { findProblem } from "#app/deals/problems/problem-page.server.ts";
import { blockUser } from "#app/messaging/block-user.server.ts";
import { sendMessage } from "#app/messaging/sending/send-message.server.ts";
import { sendReport } from "#app/moderation/reports/report.server.ts";
import { findOrderForBuyer } from "#app/orders/orders.server.ts";
import { type Account, makeAccount, PASSWORD, readRow } from "#tests/support/accounts.ts";
import { changeListing, db, makeDeal, makeProduct, makeUser, orderedOne, servicesAt } from "#tests/support/fixtures.ts";
import { giveMessage } from "#tests/support/messages.ts";
import { studentForm } from "#tests/support/sign-up.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const admin = () => makeAdmin();

async function edit(productId: string, set: Partial<typeof products.$inferInsert>, at = Date.now()): Promise<void> {
  await changeListing(productId, { ...set, updatedAt: at }, at);
}

async function caseAbout(subjectId: string) {
  const [row] = await db.select().from(moderationCases).where(eq(moderationCases.subjectId, subjectId));
  if (!row) throw new Error("no case");
  return row;
}

async function report(subjectId: string, subject: "listing" | "review" | "person" | "message", reporterId?: string) {
  const by = reporterId ?? (await makeUser());
  const sent = await sendReport(servicesAt(), { subject, subjectId, reporterId: by, reason: "harassment", text: "" });
  expect(sent).toMatchObject({ ok: true });
  return by;
}

test("an order keeps its listing as it was, and the pages of both sides and admins say what has changed since", async () => {
  const deal = await makeDeal();
  await db.update(orders).set({ paymentStatus: "completed" }).where(eq(orders.id, deal.orderId));
  await db.update(orderItems).set({ status: "processing", paidAt: Date.now() }).where(eq(orderItems.id, deal.itemId));
  const page = () => findOrderForBuyer(db, deal.orderId, deal.buyerId);
  expect((await page())?.items[0]?.ordered).toMatchObject({ description: "Works, with cover", changes: [] });

  await edit(deal.productId, { condition: "fair", description: "Broken", price: 5 });

  const changes = [
    { label: "Condition", was: "New", is: "Used - Fair" },
    { label: "Description", was: "Works, with cover", is: "Broken" },
  ];
  const ordered = { description: "Works, with cover", changes };
  expect((await page())?.items[0]?.ordered).toMatchObject(ordered);
  for (const viewer of [deal.buyerId, deal.sellerId])
    expect((await findProblem(db, deal.itemId, viewer))?.item.ordered).toMatchObject(ordered);
  expect((await findProblemDetails(servicesAt().db, deal.itemId))?.item.ordered).toMatchObject(ordered);
  const sentence = "condition was &quot;New&quot;, is now &quot;Used - Fair&quot;; the description is different";
  expect(await (await visit(`/orders/${deal.orderId}`, { as: deal.buyerId })).text()).toContain(sentence);
  expect(await (await visit(`/seller/orders/${deal.itemId}`, { as: deal.sellerId })).text()).toContain(sentence);

  await edit(deal.productId, { condition: "new", description: "Works, with cover" });
  expect((await page())?.items[0]?.ordered).toMatchObject({ changes: [] });
  await deleteListing(servicesAt(), deal);
  expect((await page())?.items[0]?.ordered).toMatchObject({ description: "Works, with cover", changes: [] });
});

test("an order keeps what its seller's shop promised, and all its pages say it, and what has changed since", async () => {
  const [sellerId, buyerId] = [await makeUser(), await makeUser()];
  const shop = { offersDelivery: true, policies: "Returns within 14 days", description: "Repairs are free" };
  const times = { createdAt: Date.now(), updatedAt: Date.now() };
  await db.insert(shops).values({ id: sellerId, shopName: "Pens", ...shop, ...times });
  const productId = await makeProduct(sellerId);
  const orderId = await orderedOne(buyerId, productId);
  const [item] = await db.select().from(orderItems).where(eq(orderItems.orderId, orderId));
  const itemId = item?.id ?? "";
  await db.update(orders).set({ paymentStatus: "completed" }).where(eq(orders.id, orderId));
  await db.update(orderItems).set({ status: "processing", paidAt: Date.now() }).where(eq(orderItems.id, itemId));
  const kept = { policies: "Returns within 14 days", about: "Repairs are free" };
  const pages = [
    [`/orders/${orderId}`, buyerId],
    [`/seller/orders/${itemId}`, sellerId],
  ] as const;
  for (const [path, as] of pages) {
    const html = await (await visit(path, { as })).text();
    for (const words of Object.values(kept)) expect(html).toContain(words);
  }
  const changes = [
    { label: "Delivery", was: "Offered", is: "Not offered" },
    { label: "Shop policies", was: "Returns within 14 days", is: "No returns" },
    { label: "Words about the shop", was: "Repairs are free", is: "" },
  ];
  await db
    .update(shops)
    .set({ offersDelivery: false, policies: "No returns", description: null })
    .where(eq(shops.id, sellerId));
  const ordered = { ...kept, changes };
  expect((await findOrderForBuyer(db, orderId, buyerId))?.items[0]?.ordered).toMatchObject(ordered);
  for (const viewer of [buyerId, sellerId])
    expect((await findProblem(db, itemId, viewer))?.item.ordered).toMatchObject(ordered);
  expect((await findProblemDetails(servicesAt().db, itemId))?.item.ordered).toMatchObject(ordered);
  for (const [path, as] of pages) {
    const html = await (await visit(path, { as })).text();
    expect(html).toContain("Returns within 14 days");
  }
  expect(await (await visit(`/orders/${orderId}`, { as: buyerId })).text()).toContain(
    "the shop policies are different",
  );
});

test("an order keeps how far its seller was verified", async () => {
  const deal = await makeDeal();
  await db.update(profiles).set({ verifiedLevel: "student" }).where(eq(profiles.id, deal.sellerId));
  const orderId = await orderedOne(deal.buyerId, deal.productId);
  await db.update(profiles).set({ verifiedLevel: "none" }).where(eq(profiles.id, deal.sellerId));
  expect((await findOrderForBuyer(db, orderId, deal.buyerId))?.items[0]?.ordered?.changes).toEqual([
    { label: "Seller", was: "Verified student", is: "", isLong: false },
  ]);
});

test("a buyer who pays later is told what has changed, and what was ordered counts", async () => {
  const deal = await makeDeal();
  await edit(deal.productId, { condition: "good" });
  const html = await (await visit(`/checkout/${deal.orderId}`, { as: deal.buyerId })).text();
  expect(html).toContain("Changed since you ordered");
  expect(html).toContain("condition was &quot;New&quot;, is now &quot;Used - Good&quot;");
});

test("an order from before there were copies says nothing about changes", async () => {
  const deal = await makeDeal();
  await db.update(orderItems).set({ copyId: null }).where(eq(orderItems.id, deal.itemId));
  await edit(deal.productId, { condition: "fair" });
  expect((await findOrderForBuyer(db, deal.orderId, deal.buyerId))?.items[0]?.ordered).toBeNull();
});

test("equal orders share one copy, and each version that was ordered has its own", async () => {
  const [sellerId, one, two] = [await makeUser(), await makeUser(), await makeUser()];
  const productId = await makeProduct(sellerId, { price: 100 });
  const order = async (userId: string, revision = 0) => {
    const orderId = await orderedOne(userId, productId, { price: 100, revision });
    const [item] = await db.select().from(orderItems).where(eq(orderItems.orderId, orderId));
    return item?.copyId;
  };
  const first = await order(one);
  expect(first).toEqual(expect.any(Number));
  expect(await order(two)).toBe(first);
  await edit(productId, { description: "Other words" });
  expect(await order(one, 1)).not.toBe(first);
});

test("a case shows each edit of what was reported: between reports, back again, and after the decision", async () => {
  const sellerId = await makeUser();
  const productId = await makeProduct(sellerId);
  const start = Date.now();
  await report(productId, "listing");
  await edit(productId, { description: "Send the money to my till" }, start + 1000);
  await report(productId, "listing");
  await edit(productId, { description: "Works, with cover" }, start + 2000);
  const { id } = await caseAbout(productId);
  const by = await admin();

  const shown = await findCasePage(servicesAt().db, by, id);
  expect(shown?.isGone).toBe(false);
  expect(shown?.copied?.edits).toMatchObject([
    { at: start + 1000, changes: [{ was: "Works, with cover", is: "Send the money to my till" }] },
    { at: start + 2000, changes: [{ was: "Send the money to my till", is: "Works, with cover" }] },
  ]);
  expect(shown?.reports.map(({ editedAt }) => editedAt)).toEqual([null, start + 1000]);

  expect(await decideCase(servicesAt(), by, { caseId: id, decision: "dismissed", statement: "" })).toMatchObject({
    ok: true,
  });
  await edit(productId, { name: "Pistol" }, start + 60_000);
  expect((await findCasePage(servicesAt().db, by, id))?.copied?.edits.at(-1)).toMatchObject({
    at: start + 60_000,
    changes: [{ label: "Name", is: "Pistol" }],
  });
});

/** A photo that somebody has uploaded, and that nothing shows yet. `name`: hexadecimal. */
async function photoOf(ownerId: string, name: string) {
  const key = `img/${name.padEnd(32, "0")}`;
  const shape = { width: 800, height: 600, widths: [320, 800], tone: "#aaaaaa", thumbhash: "" };
  const image = { key, format: "webp" as const, ...shape };
  await env.MEDIA.put(`${key}/800.webp`, "pixels");
  await db.insert(uploads).values({ key, ownerId, bucket: "media", image, attachedAt: null, createdAt: Date.now() });
  return image;
}

test("the photos of an order and of a case stay when their listing drops them and is deleted", async () => {
  const [sellerId, buyer] = [await makeUser(), await makeUser()];
  const [cover, second, other] = [
    await photoOf(sellerId, "c0ee"),
    await photoOf(sellerId, "5ec0"),
    await photoOf(sellerId, "07e4"),
  ];
  const productId = await makeProduct(sellerId);
  await edit(productId, { images: [cover, second] });
  await report(productId, "listing", buyer);
  await edit(productId, { images: [other] });
  await deleteListing(servicesAt(), { sellerId, productId });

  await sweepUnusedPhotos(servicesAt(25 * HOUR_MS));
  await sweepUnusedPhotos(servicesAt(50 * HOUR_MS));

  for (const { key } of [cover, second, other]) expect(await env.MEDIA.head(`${key}/800.webp`)).not.toBeNull();
  expect((await findCasePage(servicesAt().db, await admin(), (await caseAbout(productId)).id))?.copied?.images).toEqual(
    [cover, second],
  );
});

test("the photos of both sides of a reported conversation stay as long as its case needs them", async () => {
  const [accused, victim] = [await makeUser(), await makeUser()];
  const photos = [await photoOf(accused, "acc0"), await photoOf(victim, "71c0")];
  await giveMessage({ senderId: accused, recipientId: victim, images: photos.slice(0, 1) });
  await giveMessage({ senderId: victim, recipientId: accused, images: photos.slice(1) });
  await report(accused, "person", victim);
  const stored = async () =>
    (await Promise.all(photos.map(({ key }) => env.MEDIA.head(`${key}/800.webp`)))).map((file) => file !== null);
  for (const userId of [victim, accused]) expect(await deleteAccount(servicesAt(), userId)).toMatchObject({ ok: true });

  await sweepUnusedPhotos(servicesAt(25 * HOUR_MS));
  expect(await stored()).toEqual([true, true]);

  const { id: caseId } = await caseAbout(accused);
  await decideCase(servicesAt(), await admin(), { caseId, decision: "dismissed", statement: "" });
  await sweepDeletedAccounts(servicesAt());
  await sweepUnusedPhotos(servicesAt(50 * HOUR_MS));
  expect(await stored()).toEqual([false, false]);
});

test("a reported message keeps its words and those around it when its sender deletes the account", async () => {
  const [sender, victim] = [await makeUser(), await makeUser()];
  const start = Date.now() - HOUR_MS;
  const ids: string[] = [];
  for (let n = 0; n < 30; n += 1)
    ids.push(
      await giveMessage({
        senderId: n % 2 ? sender : victim,
        recipientId: n % 2 ? victim : sender,
        message: `message ${n}`,
        createdAt: start + n,
      }),
    );
  const subjectId = ids[15] ?? "";
  await report(subjectId, "message", victim);
  const { id } = await caseAbout(subjectId);

  expect(await deleteAccount(servicesAt(), sender)).toMatchObject({ ok: true });

  const shown = await findCasePage(servicesAt().db, await admin(), id);
  expect(shown).toMatchObject({
    isGone: true,
    copied: { facts: [{ label: "Words", value: "message 15" }], edits: [] },
  });
  expect(shown?.reports[0]?.talk.map(({ message }) => message)).toEqual(
    Array.from({ length: 21 }, (_, n) => `message ${n + 5}`),
  );
});

test("a reported person who deletes the account keeps neither a clean sheet nor the email, and the victim's block stays", async () => {
  const victim = await makeUser();
  const account = await makeAccount();
  await db
    .insert(profiles)
    .values({
      id: account.id,
      ...nameColumns("Kip Rono"),
      email: account.email,
      isSeller: true,
      createdAt: 1,
      updatedAt: 1,
    })
    .onConflictDoUpdate({ target: profiles.id, set: { ...nameColumns("Kip Rono"), isSeller: true } });
  await giveMessage({ senderId: account.id, recipientId: victim, message: "I know where you live" });
  await blockUser(servicesAt(), { userId: victim, blockedId: account.id });
  await report(account.id, "person", victim);
  const { id: caseId } = await caseAbout(account.id);
  const by = await admin();

  expect(await deleteAccount(servicesAt(), account.id)).toMatchObject({ ok: true });

  const signUpAgain = () =>
    signUp(servicesAt(), {
      values: studentForm({ email: account.email.toUpperCase() }),
      document: null,
      address: null,
    });
  const refused = { ok: false, errors: { email: EMAIL_BARRED_ERROR } };
  expect(await signUpAgain()).toMatchObject(refused);
  expect(
    await signInWithIssuer(servicesAt(), GOOGLE, {
      subject: crypto.randomUUID(),
      email: account.email,
      emailVerified: true,
      name: "Kip Rono",
    }),
  ).toEqual({ ok: false, code: "suspended" });
  // Nobody can read the address from what is kept.
  expect(JSON.stringify(await db.select().from(rememberedEmails))).not.toContain(account.email);
  const shown = await findCasePage(servicesAt().db, by, caseId);
  expect(shown).toMatchObject({
    isGone: true,
    copied: { facts: expect.arrayContaining([{ label: "Name", value: "Kip Rono" }]) },
  });
  expect(shown?.reports[0]?.talk).toMatchObject([{ message: "I know where you live" }]);

  const decision = { caseId, decision: "suspended", statement: "A threat" } as const;
  expect(await decideCase(servicesAt(), by, decision)).toMatchObject({ ok: true });
  await sweepDeletedAccounts(servicesAt(29 * DAY_MS));
  expect((await findCasePage(servicesAt().db, by, caseId))?.copied).not.toBeNull();
  await sweepDeletedAccounts(servicesAt(31 * DAY_MS));
  expect((await findCasePage(servicesAt().db, by, caseId))?.copied).toBeNull();
  expect(JSON.stringify(await db.select().from(copies))).not.toContain("I know where you live");
  expect(await signUpAgain()).toMatchObject(refused);
});

test("a case with nothing wrong frees the email, and a block also holds for the new account", async () => {
  const victim = await makeUser();
  const account = await makeAccount();
  await giveMessage({ senderId: account.id, recipientId: victim, message: "Hello" });
  await blockUser(servicesAt(), { userId: victim, blockedId: account.id });
  await report(account.id, "person", victim);
  const { id: caseId } = await caseAbout(account.id);
  expect(await deleteAccount(servicesAt(), account.id)).toMatchObject({ ok: true });
  await decideCase(servicesAt(), await admin(), { caseId, decision: "dismissed", statement: "" });
  await sweepDeletedAccounts(servicesAt());
  expect(JSON.stringify(await db.select().from(copies).where(eq(copies.ownerId, account.id)))).not.toContain("Hello");

  const again = await signUp(servicesAt(), {
    values: studentForm({ email: account.email }),
    document: null,
    address: null,
  });
  if (!again.ok) throw new Error(again.code);
  expect(await db.select().from(blocks).where(eq(blocks.blockedId, again.userId))).toMatchObject([{ userId: victim }]);
  // Nothing is kept of an account that nobody reported or blocked.
  const quiet = await makeAccount();
  await deleteAccount(servicesAt(), quiet.id);
  expect(await db.select().from(rememberedEmails).where(eq(rememberedEmails.userId, quiet.id))).toEqual([]);
});

test("an open issue report keeps both accounts, and what a paid order promised outlives its seller", async () => {
  const deal = await makeDeal();
  await db.update(orders).set({ paymentStatus: "completed" }).where(eq(orders.id, deal.orderId));
  await db.update(orderItems).set({ status: "completed", paidAt: Date.now() }).where(eq(orderItems.id, deal.itemId));
  const [{ id } = { id: "" }] = await db
    .insert(issueReports)
    .values({
      id: crypto.randomUUID(),
      userId: deal.buyerId,
      sellerId: deal.sellerId,
      orderId: deal.orderId,
      description: "It broke after a day",
      createdAt: Date.now(),
    })
    .returning();
  for (const userId of [deal.buyerId, deal.sellerId])
    expect(await deleteAccount(servicesAt(), userId)).toEqual({ ok: false, code: "report_open" });
  await db.update(issueReports).set({ status: "closed" }).where(eq(issueReports.id, id));

  const unpaid = await makeProduct(deal.sellerId, { price: 100 });
  await report(unpaid, "listing");
  await decideCase(servicesAt(), await admin(), {
    caseId: (await caseAbout(unpaid)).id,
    decision: "dismissed",
    statement: "",
  });
  expect(await deleteAccount(servicesAt(), deal.sellerId)).toMatchObject({ ok: true });
  const page = await findOrderForBuyer(db, deal.orderId, deal.buyerId);
  expect(page?.items[0]?.ordered).toMatchObject({ description: "Works, with cover", changes: [] });
  expect(await db.select({ content: copies.content }).from(copies).where(eq(copies.subjectId, unpaid))).toEqual([
    { content: "{}" },
  ]);
});

test("what an order that nobody paid promised goes with its seller", async () => {
  const deal = await makeDeal();
  expect(await deleteAccount(servicesAt(), deal.sellerId)).toMatchObject({ ok: true });
  expect(await db.select({ content: copies.content }).from(copies).where(eq(copies.subjectId, deal.productId))).toEqual(
    [{ content: "{}" }],
  );
});

/** Changes the email by the link that a request sends. */
async function moveTo(account: { id: string; email: string }, email: string, pressed = servicesAt()) {
  expect(await askForEmailChange(servicesAt(), account.id, { email, currentPassword: PASSWORD })).toEqual({ ok: true });
  return changeEmail(pressed, account.id, await emailToken(account.id, "email_change"));
}

/** The token of the newest link of a kind. */
async function emailToken(userId: string, purpose: "email_change" | "account_undo", to?: string): Promise<string> {
  const [link] = await db
    .select({ id: emailTokens.id })
    .from(emailTokens)
    .where(
      and(eq(emailTokens.userId, userId), eq(emailTokens.purpose, purpose), to ? eq(emailTokens.email, to) : undefined),
    )
    .orderBy(desc(emailTokens.createdAt), sql`rowid DESC`)
    .limit(1);
  return emailTokenOf(env.PASSWORD_PEPPER, link?.id ?? "none");
}

const freshAddress = () => `moved-${crypto.randomUUID()}@mail.test`;

const signUpWith = (email: string) =>
  signUp(servicesAt(), { values: studentForm({ email }), document: null, address: null });
const enterByGoogle = (email: string) =>
  signInWithIssuer(servicesAt(), GOOGLE, {
    subject: crypto.randomUUID(),
    email,
    emailVerified: true,
    name: "Kip Rono",
  });

/** An account that somebody has exchanged messages with, and reported. */
async function makeReported(account: Account) {
  const victim = await makeUser();
  await giveMessage({ senderId: account.id, recipientId: victim, message: "I know where you live" });
  await report(account.id, "person", victim);
  return { victim, caseId: (await caseAbout(account.id)).id };
}

test.each(["suspended", "deleted"] as const)(
  "the earlier emails of a reported account that is %s let nobody in, until the case is dismissed",
  async (end) => {
    const account = await makeAccount();
    const [first, second] = [account.email, freshAddress()];
    expect(await moveTo(account, second)).toMatchObject({ ok: true });
    expect(await moveTo(account, freshAddress())).toMatchObject({ ok: true });
    const { caseId, victim } = await makeReported(account);
    await blockUser(servicesAt(), { userId: victim, blockedId: account.id });
    if (end === "deleted") expect(await deleteAccount(servicesAt(), account.id)).toMatchObject({ ok: true });
    const other = await makeAccount();
    const areBarred = async () => {
      for (const email of [first, second.toUpperCase()]) {
        expect(await signUpWith(email)).toMatchObject({ ok: false, errors: { email: EMAIL_BARRED_ERROR } });
        expect(await enterByGoogle(email)).toEqual({ ok: false, code: "suspended" });
        expect(await moveTo(other, email)).toEqual({ ok: false, code: "barred" });
      }
    };
    await areBarred();
    // Nobody can read the addresses from what is kept.
    expect(JSON.stringify(await db.select().from(rememberedEmails))).not.toContain(first);
    const by = await admin();
    if (end === "suspended") {
      await decideCase(servicesAt(), by, { caseId, decision: "suspended", statement: "A threat" });
      await sweepDeletedAccounts(servicesAt(31 * DAY_MS));
      await areBarred();
      return;
    }
    await decideCase(servicesAt(), by, { caseId, decision: "dismissed", statement: "" });
    const again = await signUpWith(first);
    if (!again.ok) throw new Error(again.code);
    expect(await db.select().from(blocks).where(eq(blocks.blockedId, again.userId))).toMatchObject([
      { userId: victim },
    ]);
  },
);

test("an account may go back to its own earlier email while our team looks into it", async () => {
  const account = await makeAccount();
  await moveTo(account, freshAddress());
  await makeReported(account);
  expect(await moveTo(account, account.email)).toMatchObject({ ok: true, email: account.email });
  expect(await moveTo(account, freshAddress())).toMatchObject({ ok: true });
  const undo = await emailToken(account.id, "account_undo", account.email);
  expect(await takeBack(servicesAt(), undo, lookAgainAtNumber)).toMatchObject({ ok: true });
  expect((await readRow("credentials", account.id)).email).toBe(account.email);
});

test("nothing is kept of the earlier emails of a deleted account that nobody reported or blocked", async () => {
  const account = await makeAccount();
  await moveTo(account, freshAddress());
  expect(await db.select().from(rememberedEmails).where(eq(rememberedEmails.userId, account.id))).toHaveLength(1);
  await deleteAccount(servicesAt(), account.id);
  expect(await db.select().from(rememberedEmails).where(eq(rememberedEmails.userId, account.id))).toEqual([]);
  expect(await signUpWith(account.email)).toMatchObject({ ok: true });
});

test("an email that was barred after it was asked for is neither taken nor taken back", async () => {
  const [account, reported] = [await makeAccount(), await makeAccount()];
  const [first, wanted] = [account.email, freshAddress()];
  // The address is free when it is asked for, and barred when the link is pressed.
  await askForEmailChange(servicesAt(), account.id, { email: wanted, currentPassword: PASSWORD });
  const change = await emailToken(account.id, "email_change");
  await moveTo(reported, wanted);
  const { caseId } = await makeReported(reported);
  await deleteAccount(servicesAt(), reported.id);
  expect(await changeEmail(servicesAt(), account.id, change)).toEqual({ ok: false, code: "barred" });
  expect(await findEmailLink(servicesAt(), change)).toMatchObject({
    email: wanted,
  });
  await decideCase(servicesAt(), await admin(), { caseId, decision: "dismissed", statement: "" });
  expect(await changeEmail(servicesAt(), account.id, change)).toMatchObject({ ok: true });

  // Whoever gets the earlier address meanwhile is reported and deletes the account.
  const undo = await emailToken(account.id, "account_undo");
  const later = await enterByGoogle(first);
  if (!later.ok) throw new Error(later.code);
  await makeReported({ ...account, id: later.userId });
  await deleteAccount(servicesAt(), later.userId);
  expect(await takeBack(servicesAt(), undo, lookAgainAtNumber)).toEqual({ ok: false, code: "barred" });
  expect((await visit("/auth/undo", { form: { token: undo } })).status).toBe(409);
});

test.each(["person", "message"] as const)(
  "a report about a %s copies no message that our team removed before",
  async (subject) => {
    const deal = await makeDeal();
    const about = { kind: "item", id: deal.itemId } as const;
    const say = async (text: string) => {
      const sent = await sendMessage(servicesAt(), { senderId: deal.sellerId, about, text, key: crypto.randomUUID() });
      return sent.ok ? sent.message.id : "";
    };
    const [first, removed, last] = [await say("Hello"), await say("A threat"), await say("Are you there?")];
    await env.DB.prepare("UPDATE messages SET removed_at = 1 WHERE id = ?").bind(removed).run();
    const subjectId = subject === "person" ? deal.sellerId : last;
    expect(
      await sendReport(servicesAt(), { subject, subjectId, reporterId: deal.buyerId, reason: "scam", text: "" }),
    ).toMatchObject({ ok: true });
    const talk = await env.DB.prepare("SELECT content FROM copies WHERE kind = 'talk' AND owner_id = ?")
      .bind(deal.sellerId)
      .first<{ content: string }>();
    const copy = JSON.parse(talk?.content ?? "{}") as { messages: { id: string }[] };
    expect(copy.messages.map(({ id }) => id).toSorted()).toEqual([first, last].toSorted());
  },
);
