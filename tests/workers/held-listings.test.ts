/** Listings that are held for a look, and the limits of new accounts. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { and, eq, sql } from "drizzle-orm";
import { profiles, uploads } from "#app/accounts/tables.server.ts";
import { storePhoto } from "#app/catalogue/photos/photos.server.ts";
import { readSerial } from "#app/catalogue/serials/serial-rules.ts";
import { keepSerial } from "#app/catalogue/serials/serials.server.ts";
import {
  askAboutSerial,
  openSerials,
  reportStolen,
  sweepEndedReports,
  takeBack,
} from "#app/catalogue/serials/stolen-serials.server.ts";
import { sendAppeal } from "#app/moderation/cases/appeals.server.ts";
import { decideCase } from "#app/moderation/cases/decide-case.server.ts";
import { answerAppeal } from "#app/moderation/cases/undo-case.server.ts";
import { LISTING_ANSWERS } from "#app/catalogue/selling/listing-answers.ts";
import { SERIAL_TEXTS } from "#app/catalogue/serials/serial-texts.ts";
import { publicProductPath } from "#app/public-links.ts";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import { openHeldCases } from "#app/moderation/cases/held-cases.server.ts";
import { explainMessageLimit, isNewcomer } from "#app/accounts/trust/newcomer.server.ts";
import { newcomerUntil } from "#app/accounts/trust/newcomer-rules.ts";
import { restoreListing, restoreUser, suspendUser } from "#app/moderation/suspensions/suspensions.server.ts";
import { addTerm, listTerms, removeTerm } from "#app/admin/catalogue/prohibited.server.ts";
import { createListing, deleteListing, openListing, saveListing } from "#app/catalogue/selling/listings.server.ts";
import { findProductPage } from "#app/catalogue/product/product-page.server.ts";
import type { Listing } from "#app/catalogue/selling/listing-rules.ts";
import { findDeal } from "#app/deals/find-deal.server.ts";
import { VERIFIED_LEVELS } from "#app/db/states/verified.ts";
import { moderationCases } from "#app/moderation/tables.server.ts";
import { listingSerials, products, stolenSerials } from "#app/catalogue/tables.server.ts";
import { dealTimers } from "#app/orders/tables.server.ts";
import { makeOffer } from "#app/offers/make-offer.server.ts";
import { findInbox } from "#app/messaging/conversations/conversations.server.ts";
import { sendMessage } from "#app/messaging/sending/send-message.server.ts";
import { listOwnListings } from "#tests/support/reads.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";
import { db, makeDeal, makeProduct, makeUser, servicesAt, changeListing } from "#tests/support/fixtures.ts";
import { emailsTo } from "#tests/support/outbox.ts";
import { payDeal } from "#tests/support/paid-deal.ts";
import { KETTLE } from "#tests/support/kettle.ts";

function post(sellerId: string, change: Partial<Listing> = {}, productId: string = crypto.randomUUID()) {
  return createListing(servicesAt(), openHeldCases, {
    seller: { id: sellerId, name: "Wanjiku Otieno", campusLocation: "Main Campus" },
    productId,
    listing: { ...KETTLE, ...change },
    photoKeys: [],
  });
}

async function posted(sellerId: string, change: Partial<Listing> = {}): Promise<string> {
  const saved = await post(sellerId, change);
  if (!saved.ok) throw new Error(saved.code);
  return saved.productId;
}

function edit(sellerId: string, productId: string, change: Partial<Listing>) {
  return saveListing(servicesAt(), openHeldCases, {
    sellerId,
    productId,
    listing: { ...KETTLE, ...change },
    stockSeen: 1,
    photoKeys: [],
  });
}

async function stateOf(productId: string) {
  const [row] = await db
    .select({ suspendedAt: products.suspendedAt, heldFor: products.heldFor })
    .from(products)
    .where(eq(products.id, productId));
  return row;
}

function casesAbout(productId: string) {
  return db.select().from(moderationCases).where(eq(moderationCases.subjectId, productId));
}

/** As our team publishes it. */
function publish(productId: string) {
  return changeListing(productId, { suspendedAt: null, heldFor: null });
}

test("a new listing with a prohibited word is stored and held, and only its seller sees it", async () => {
  const [seller, buyer] = [await makeUser(), await makeUser()];
  const productId = crypto.randomUUID();
  const saved = await post(seller, { description: "A p.i.s.t.o.l" }, productId);
  expect(saved).toEqual({ ok: true, productId, heldFor: "pistol" });
  expect(await post(seller, { description: "A p.i.s.t.o.l" }, productId), "sent twice").toEqual(saved);
  expect(await emailsTo(`${seller}@campus.test`, "listing_held")).toHaveLength(1);
  expect(await casesAbout(productId)).toMatchObject([{ state: "open", reportedId: seller, reports: 0, harm: 20 }]);

  expect(await findProductPage(servicesAt(), productId, buyer)).toBeNull();
  expect(await findProductPage(servicesAt(), productId, null)).toBeNull();
  const page = await findProductPage(servicesAt(), productId, seller);
  expect(page?.product.hidden).toEqual({ heldFor: "pistol" });
  const own = await listOwnListings(db, seller, null);
  expect(own.products).toMatchObject([{ id: productId, hidden: { heldFor: "pistol" } }]);
  expect((await openListing(servicesAt(), seller, productId))?.editing).not.toBeNull();
});

test("a held listing that is put on sale doesn't say that buyers can see it", async () => {
  const seller = await makeUser();
  const productId = await posted(seller, { name: "Pistol" });
  const press = async (status: string) => {
    const form = { intent: "status", status };
    return (await visit(`/product/${productId}/manage`, { as: seller, form })).text();
  };
  expect(await press("out_of_stock")).toContain("nobody can buy it now");
  expect(await press("active")).toContain("Buyers can't see this listing now");
  await publish(productId);
  expect(await press("active")).toContain("buyers can see it");
});

test("a listing in a category of the list is held, and says why", async () => {
  const [seller, admin] = [await makeUser(), await makeAdmin()];
  expect(await addTerm(servicesAt(), admin, { kind: "category", term: "electronics" })).toEqual({ ok: true });
  const saved = await post(seller);
  expect(saved).toMatchObject({ ok: true, heldFor: "category:electronics" });
  const { rows } = await listTerms(db, { kind: "category", search: "" });
  await removeTerm(servicesAt(), admin, rows[0]?.id ?? "");
  expect(await post(seller)).toMatchObject({ ok: true, heldFor: null });
});

test("an edit that brings a prohibited word in holds the listing; a word that our team has published doesn't", async () => {
  const seller = await makeUser();
  const productId = await posted(seller);
  expect(await edit(seller, productId, { price: 900 })).toMatchObject({ ok: true, heldFor: null });
  expect(await edit(seller, productId, { name: "Kettle and bhang" })).toMatchObject({ ok: true, heldFor: "bhang" });
  expect(await stateOf(productId)).toMatchObject({ heldFor: "bhang", suspendedAt: expect.any(Number) as number });
  expect(await casesAbout(productId)).toHaveLength(1);

  await publish(productId);
  expect(await edit(seller, productId, { name: "Kettle and bhang", price: 800 })).toMatchObject({ heldFor: null });
  expect(await stateOf(productId)).toEqual({ suspendedAt: null, heldFor: null });
});

test.each([
  ["name", { name: "Kettle and bhang" }],
  ["description", { description: "With bhang" }],
] as const)("a listing that somebody is buying can't be held by an edit of its %s", async (field, change) => {
  const seller = await makeUser();
  const productId = await posted(seller);
  await env.DB.prepare("UPDATE products SET reserved = 1 WHERE id = ?").bind(productId).run();
  expect(await edit(seller, productId, change)).toEqual({
    ok: false,
    code: "held_while_bought",
    heldFor: "bhang",
    field,
  });
  expect(await stateOf(productId)).toEqual({ suspendedAt: null, heldFor: null });
  expect(await edit(seller, productId, { name: "Electric kettle" }), "other edits go on").toMatchObject({ ok: true });
  const form = {
    name: "Kettle",
    description: "Works well",
    ...change,
    price: "1500",
    category: "electronics",
    condition: "good",
    stock: "1",
    stockSeen: "1",
  };
  const html = await (await visit(`/product/${productId}/edit`, { as: seller, form })).text();
  expect(html).toContain("Somebody is buying this item now");
  expect(html, "what was typed").toContain(Object.values(change)[0]);

  await env.DB.prepare("UPDATE products SET reserved = 0 WHERE id = ?").bind(productId).run();
  expect(await edit(seller, productId, change)).toMatchObject({ ok: true, heldFor: "bhang" });
});

test("a held listing can be edited, and stays held even when the word is gone", async () => {
  const seller = await makeUser();
  const productId = await posted(seller, { name: "Pistol" });
  expect(await edit(seller, productId, { name: "Kettle" })).toMatchObject({ ok: true, heldFor: "pistol" });
  expect(await stateOf(productId)).toMatchObject({ heldFor: "pistol" });
  expect(await emailsTo(`${seller}@campus.test`, "listing_held")).toHaveLength(1);
});

test("an edit of a listing that our team took down doesn't make it held, so nothing publishes it", async () => {
  const seller = await makeUser();
  const productId = await posted(seller);
  await env.DB.prepare("UPDATE products SET suspended_at = 5 WHERE id = ?").bind(productId).run();
  await edit(seller, productId, { name: "Pistol" });
  expect(await stateOf(productId)).toEqual({ suspendedAt: 5, heldFor: null });
  const page = await findProductPage(servicesAt(), productId, seller);
  expect(page?.product.hidden, "its seller still sees it").toEqual({ heldFor: null });
});

test("restoring a seller or a listing doesn't publish what is held", async () => {
  const [seller, admin] = [await makeUser(), await makeAdmin()];
  const [held, plain] = [await posted(seller, { name: "Pistol" }), await posted(seller)];
  await suspendUser(servicesAt(), admin, seller, "A test");
  // Held in the same millisecond.
  await env.DB.prepare(
    "UPDATE products SET suspended_at = (SELECT suspended_at FROM credentials WHERE id = ?1) WHERE id = ?2",
  )
    .bind(seller, held)
    .run();
  expect(await restoreUser(servicesAt(), admin, seller)).toEqual({ ok: true });
  expect(await stateOf(held)).toMatchObject({ heldFor: "pistol", suspendedAt: expect.any(Number) as number });
  expect((await stateOf(plain))?.suspendedAt).toBeNull();
  expect(await restoreListing(servicesAt(), admin, held)).toEqual({ ok: false, code: "stale" });
});

test("admins add and remove terms with an entry in the log; of two at once one adds it, and one removes it", async () => {
  const admins = [await makeAdmin(), await makeAdmin()];
  const add = (term: string) =>
    Promise.all(admins.map((admin) => addTerm(servicesAt(), admin, { kind: "word", term })));
  const added = await add("  Contra BAND ");
  expect(added.filter(({ ok }) => ok)).toHaveLength(1);
  expect(added.find(({ ok }) => !ok)).toEqual({ ok: false, code: "known" });
  const { rows, totals } = await listTerms(db, { kind: "word", search: "BAND" });
  expect(rows).toMatchObject([{ term: "contra band" }]);
  expect(totals.word).toBeGreaterThan(20);

  const removed = await Promise.all(admins.map((admin) => removeTerm(servicesAt(), admin, rows[0]?.id ?? "")));
  expect(removed.filter(({ ok }) => ok)).toHaveLength(1);
  const log = await env.DB.prepare("SELECT action, detail FROM audit_log WHERE subject = ? ORDER BY action")
    .bind(`term:${rows[0]?.id}`)
    .all();
  expect(log.results).toEqual([
    { action: "term_added", detail: "word: contra band" },
    { action: "term_removed", detail: "word: contra band" },
  ]);
  const [admin] = admins;
  if (!admin) throw new Error("no admin");
  expect(await addTerm(servicesAt(), admin, { kind: "word", term: " 12 " })).toEqual({ ok: false, code: "empty" });
  expect(await addTerm(servicesAt(), admin, { kind: "category", term: "no-such" })).toEqual({
    ok: false,
    code: "no_category",
  });
  const nobody = { id: await makeUser(), email: "x" };
  expect(await addTerm(servicesAt(), nobody, { kind: "word", term: "kettles" })).toEqual({ ok: false, code: "stale" });
});

// ------------------------------------------------------------ new accounts

const HOUR = 60 * 60_000;

test("the rule and its SQL agree about who is new", async () => {
  const now = Date.now();
  for (const verifiedLevel of VERIFIED_LEVELS)
    for (const emailConfirmedAt of [null, now - HOUR])
      for (const createdAt of [now - 25 * HOUR, now - 24 * HOUR, now - 24 * HOUR + 1, now]) {
        const id = await makeUser({ createdAt });
        await env.DB.batch([
          env.DB.prepare("UPDATE credentials SET email_confirmed_at = ? WHERE id = ?").bind(emailConfirmedAt, id),
          env.DB.prepare("UPDATE profiles SET verified_level = ? WHERE id = ?").bind(verifiedLevel, id),
        ]);
        const [row] = await db.all<{ is: number }>(sql`SELECT ${isNewcomer(id, now)} AS "is"`);
        const rule = newcomerUntil({ verifiedLevel, emailConfirmedAt, createdAt }, now);
        expect(row?.is === 1, `${verifiedLevel} ${emailConfirmedAt} ${createdAt - now}`).toBe(rule !== null);
      }
});

test("a new account posts five listings, even of many at once, and deleting one makes no room", async () => {
  const createdAt = Date.now() - HOUR;
  const seller = await makeUser({ createdAt });
  const all = await Promise.all(Array.from({ length: 8 }, () => post(seller)));
  expect(all.filter(({ ok }) => ok)).toHaveLength(5);
  expect(all.find(({ ok }) => !ok)).toEqual({ ok: false, code: "newcomer", until: createdAt + 24 * HOUR });
  const [first] = all.flatMap((saved) => (saved.ok ? [saved.productId] : []));
  await deleteListing(servicesAt(), { sellerId: seller, productId: first ?? "" });
  expect(await post(seller)).toMatchObject({ ok: false, code: "newcomer" });

  await env.DB.prepare("UPDATE profiles SET verified_level = 'student' WHERE id = ?").bind(seller).run();
  expect(await post(seller), "a verified student has no such limit").toMatchObject({ ok: true });
});

test("a new account writes to five strangers, and offers count; answers and paid items don't", async () => {
  const newcomer = await makeUser({ createdAt: Date.now() - HOUR });
  const write = async (sellerId: string, key: string = crypto.randomUUID()) =>
    sendMessage(servicesAt(), {
      senderId: newcomer,
      about: { kind: "product", id: await makeProduct(sellerId) },
      text: "Is it still there?",
      key,
    });
  const sellers = await Promise.all(Array.from({ length: 7 }, () => makeUser()));
  const offered = await makeProduct(sellers[0] ?? "", { price: 1_000 });
  await env.DB.prepare("UPDATE products SET takes_offers = 1 WHERE id = ?").bind(offered).run();
  const offer = { buyerId: newcomer, productId: offered, amount: 800, revision: 0, note: "", key: crypto.randomUUID() };
  expect(await makeOffer(servicesAt(), offer)).toMatchObject({ ok: true });
  const sent = await Promise.all(sellers.slice(1).map((seller) => write(seller)));
  expect(sent.filter(({ ok }) => ok)).toHaveLength(4);
  expect(sent.filter((result) => !result.ok && result.code === "newcomer")).toHaveLength(2);
  expect(await explainMessageLimit(servicesAt(), newcomer)).toMatch(/from (today|tomorrow) at \d\d:\d\d/);
  expect(await explainMessageLimit(servicesAt(23 * HOUR), newcomer), "it is a day old then").toBeNull();

  const refused = sellers[sent.findIndex(({ ok }) => !ok) + 1] ?? "";
  const other = await makeProduct(refused, { price: 1_000 });
  await env.DB.prepare("UPDATE products SET takes_offers = 1 WHERE id = ?").bind(other).run();
  expect(await makeOffer(servicesAt(), { ...offer, productId: other, key: crypto.randomUUID() })).toEqual({
    ok: false,
    code: "newcomer",
  });
  expect(await write(sellers[0] ?? ""), "they have a conversation").toMatchObject({ ok: true });

  const deal = await makeDeal();
  await env.DB.batch([
    env.DB.prepare("UPDATE orders SET user_id = ? WHERE id = ?").bind(newcomer, deal.orderId),
    env.DB.prepare("UPDATE order_items SET status = 'processing' WHERE id = ?").bind(deal.itemId),
  ]);
  const about = { kind: "item", id: deal.itemId } as const;
  expect(
    await sendMessage(servicesAt(), { senderId: newcomer, about, text: "Where do we meet?", key: crypto.randomUUID() }),
    "they have paid",
  ).toMatchObject({ ok: true });
});

test("readers are warned until one of the two has paid the other, and again once the money went back", async () => {
  const deal = await makeDeal();
  const about = { kind: "item", id: deal.itemId } as const;
  await sendMessage(servicesAt(), { senderId: deal.sellerId, about, text: "0712345678", key: crypto.randomUUID() });
  const hasPaid = async (viewerId: string, withId: string) =>
    (await findInbox(servicesAt(), viewerId, { withId, after: null }))?.inbox.open?.hasPaid;
  for (const [status, paid] of [
    ["pending_payment", false],
    ["processing", true],
    ["completed", true],
    ["refunded", false],
  ] as const) {
    await env.DB.prepare("UPDATE order_items SET status = ? WHERE id = ?").bind(status, deal.itemId).run();
    const seen = [await hasPaid(deal.buyerId, deal.sellerId), await hasPaid(deal.sellerId, deal.buyerId)];
    expect(seen, `while ${status}`).toEqual([paid, paid]);
  }
  // Nobody has paid for what was free, and a scammer can give something away first.
  await env.DB.prepare("UPDATE order_items SET status = 'completed', price_per_unit = 0 WHERE id = ?")
    .bind(deal.itemId)
    .run();
  expect(await hasPaid(deal.buyerId, deal.sellerId)).toBe(false);
});

test("a report about a held listing leads to its case instead of offering to restore it", async () => {
  const [seller, buyer, admin] = [await makeUser(), await makeUser(), await makeAdmin()];
  const productId = await posted(seller, { name: "Pistol" });
  const id = crypto.randomUUID();
  await env.DB.prepare(
    `INSERT INTO issue_reports (id, user_id, seller_id, product_id, order_id, description, created_at)
      VALUES (?, ?, ?, ?, ?, 'Not safe', 1)`,
  )
    .bind(id, buyer, seller, productId, (await makeDeal()).orderId)
    .run();
  const page = await (await visit(`/admin/problems/${id}`, { as: admin.id })).text();
  expect(page).toContain("publishes it or keeps it off");
  expect(page).not.toContain("restore-listing");
});

const IMEI = "490154203237518";
const LAPTOP = "C02XG0FDJGH5";

/** A verified student who has uploaded a proof. */
async function makeStudent(): Promise<{ id: string; proof: string }> {
  const id = await makeUser();
  await db.update(profiles).set({ verifiedLevel: "student" }).where(eq(profiles.id, id));
  const bytes = new TextEncoder().encode(id);
  const variants = [{ picture: { kind: "webp", width: 640, height: 480 }, bytes }] as const;
  const stored = await storePhoto(
    servicesAt(),
    id,
    { variants: [...variants], tone: "#aaaaaa", thumbhash: "" },
    "documents",
  );
  if (!stored.ok) throw new Error(stored.code);
  return { id, proof: stored.image.key };
}

function keep(typed: string) {
  const reading = readSerial(typed);
  if (!reading.ok) throw new Error(reading.error);
  return keepSerial(reading.serial, servicesAt().passwordPepper);
}

const PHONE = { name: "Samsung Galaxy A14 phone", category: "electronics" };

function tryPostPhone(sellerId: string, typed: string) {
  return createListing(servicesAt(), openHeldCases, {
    seller: { id: sellerId, name: "Wanjiku Otieno", campusLocation: "Main Campus" },
    productId: crypto.randomUUID(),
    listing: { ...KETTLE, ...PHONE },
    serial: keep(typed),
    photoKeys: [],
  });
}

/** Lists a phone with a serial number. */
async function postPhone(sellerId: string, typed: string): Promise<string> {
  const saved = await tryPostPhone(sellerId, typed);
  if (!saved.ok) throw new Error(saved.code);
  return saved.productId;
}

/** The edit of a phone, sent by its form. */
async function sendPhone(sellerId: string, productId: string, change: Record<string, string>): Promise<string> {
  const form = { ...PHONE, description: "Works well", price: "1500", condition: "good", stock: "1", stockSeen: "1" };
  const response = await visit(`/product/${productId}/edit`, { as: sellerId, form: { ...form, ...change } });
  return (await response.text()).replaceAll("&#x27;", "'");
}

function reportAs(student: { id: string; proof: string }, serial: string, later = 0) {
  const text = "Taken in the library on Monday, OB 12/2026";
  return reportStolen(servicesAt(later), openHeldCases, {
    userId: student.id,
    serial,
    text,
    photoKeys: [student.proof],
  });
}

async function serialOf(productId: string): Promise<string | undefined> {
  const rows = await db.select().from(listingSerials).where(eq(listingSerials.productId, productId));
  return rows[0]?.ending;
}

test("what is for sale with a serial number that was reported as stolen is held until our team has looked at it", async () => {
  const [student, seller, other, admin] = [await makeStudent(), await makeUser(), await makeUser(), await makeAdmin()];
  const [phone, another] = [await postPhone(seller, "49-015420-323751-8"), await postPhone(seller, "5CD1234XYZ")];
  const ask = async (typed: string) => askAboutSerial(servicesAt(), other, typed);
  expect(await ask(IMEI)).toEqual({ ok: true, isReported: false });

  const report = (change: Partial<Parameters<typeof reportStolen>[2]> = {}) =>
    reportStolen(servicesAt(), openHeldCases, {
      userId: student.id,
      serial: `IMEI: ${IMEI}`,
      text: "Taken in the library on Monday, OB 12/2026",
      photoKeys: [student.proof],
      ...change,
    });
  expect(await report({ userId: other })).toMatchObject({ ok: false });
  expect(await report({ photoKeys: [] })).toEqual({ ok: false, code: "photos" });
  expect(await report({ serial: "490154203237519" })).toMatchObject({ ok: false, code: "serial" });
  expect((await stateOf(phone))?.heldFor).toBeNull();

  expect(await report()).toEqual({ ok: true });
  expect(await report()).toEqual({ ok: true });
  expect((await stateOf(phone))?.heldFor).toBe("serial:stolen");
  expect((await stateOf(another))?.heldFor).toBeNull();
  expect(await findProductPage(servicesAt(), phone, other)).toBeNull();
  expect(await emailsTo(`${seller}@campus.test`, "listing_held")).toHaveLength(1);
  const [found] = await casesAbout(phone);
  expect(found).toMatchObject({ state: "open", reportedId: seller });
  expect(await ask("490154 203237518")).toEqual({ ok: true, isReported: true });
  // Who lists it anew is held, too, whatever the time between; the owner who got it back isn't.
  const theirs = await postPhone(other, IMEI);
  expect((await stateOf(theirs))?.heldFor).toBe("serial:stolen");
  expect((await stateOf(await postPhone(student.id, IMEI)))?.heldFor).toBeNull();

  const photo = `/files/${student.proof}/640.webp`;
  for (const as of [seller, undefined]) expect((await visit(photo, { as })).status).toBe(404);
  for (const as of [student.id, admin.id]) expect((await visit(photo, { as })).status).toBe(200);
  const page = await (await visit(`/admin/moderation/${found?.id}`, { as: admin.id })).text();
  expect(page).toContain("Taken in the library on Monday");
  expect(page).toContain(student.proof);
  expect(page).not.toContain("Counts no more");

  // What comes back with its seller is looked at, too.
  await changeListing(phone, { suspendedAt: null, heldFor: null });
  await suspendUser(servicesAt(), admin, seller, "Fraud");
  await restoreUser(servicesAt(), admin, seller);
  expect((await stateOf(phone))?.heldFor).toBe("serial:stolen");
  expect((await stateOf(another))?.suspendedAt).toBeNull();

  const decided = { caseId: found?.id ?? "", decision: "dismissed", statement: "" } as const;
  expect(await decideCase(servicesAt(), admin, decided)).toMatchObject({ ok: true });
  expect(await stateOf(phone)).toEqual({ suspendedAt: null, heldFor: null });
  // The report stands. The phone that they listed counts as asking.
  for (let n = 0; n < 2; n += 1) expect(await ask(IMEI)).toEqual({ ok: true, isReported: true });
  expect(await ask(IMEI)).toEqual({ ok: false, code: "often" });

  // A case says that it has ended, for as long as it is kept.
  const { reports } = await openSerials(db, student.id);
  await takeBack(servicesAt(), { userId: student.id, id: reports[0]?.id ?? "" });
  const [theirCase] = await casesAbout(theirs);
  const theirPage = await (await visit(`/admin/moderation/${theirCase?.id}`, { as: admin.id })).text();
  expect(theirPage).toContain("Counts no more");
  expect(await reportAs(student, IMEI, 25 * HOUR)).toEqual({ ok: true });
  await sweepEndedReports(servicesAt(31 * 24 * 60 * 60_000));
  const left = await db.select().from(stolenSerials).where(eq(stolenSerials.reporterId, student.id));
  expect(left.map(({ endedAt }) => endedAt)).toEqual([null]);
  // The proof goes with the last of them.
  await db.update(stolenSerials).set({ endedAt: 1 }).where(eq(stolenSerials.reporterId, student.id));
  expect(await sweepEndedReports(servicesAt())).toBe(1);
  const [proof] = await db.select().from(uploads).where(eq(uploads.key, student.proof));
  expect(proof?.attachedAt).toBeNull();
});

test("a report that can't be taken back says so", async () => {
  const as = await makeUser();
  const sent = await visit("/serials", { as, form: { intent: "back", id: crypto.randomUUID() } });
  expect(sent.status).toBe(404);
  expect(await sent.text()).toContain(SERIAL_TEXTS.failed.replace("'", "&#x27;"));
  expect((await visit("/serials", { as, form: { intent: "other" } })).status).toBe(400);
});

test("a report stands when our team publishes a listing, which is rid of its number, until its reporter is suspended", async () => {
  const [student, friend, seller, other] = [
    await makeStudent(),
    await makeStudent(),
    await makeUser(),
    await makeUser(),
  ];
  const admin = await makeAdmin();
  const phone = await postPhone(seller, LAPTOP);
  await reportAs(student, LAPTOP);
  const [found] = await casesAbout(phone);
  const [seen] = await db.select().from(products).where(eq(products.id, phone));
  const decided = { caseId: found?.id ?? "", decision: "dismissed", statement: "" } as const;
  await reportAs(friend, LAPTOP);
  expect(
    await decideCase(servicesAt(), admin, {
      ...decided,
      seenAt: Math.max(seen?.updatedAt ?? 0, found?.updatedAt ?? 0),
    }),
    "nobody has read the second report",
  ).toEqual({ ok: false, code: "stale" });
  expect(await decideCase(servicesAt(), admin, decided)).toMatchObject({ ok: true });
  expect(await stateOf(phone)).toEqual({ suspendedAt: null, heldFor: null });
  expect(await serialOf(phone)).toBeUndefined();
  expect(await askAboutSerial(servicesAt(), other, LAPTOP)).toEqual({ ok: true, isReported: true });
  // Other cases end no report, either.
  expect(await sendPhone(seller, phone, { serial: LAPTOP })).not.toContain("alert");
  expect((await stateOf(phone))?.heldFor).toBe("serial:stolen");

  for (const { id } of [student, friend]) await suspendUser(servicesAt(), admin, id, "False report");
  expect(await askAboutSerial(servicesAt(), other, LAPTOP)).toEqual({ ok: true, isReported: false });
  const another = await postPhone(other, LAPTOP);
  expect((await stateOf(another))?.heldFor).toBeNull();
  await restoreUser(servicesAt(), admin, student.id);
  expect((await stateOf(another))?.heldFor).toBe("serial:stolen");
});

test("the seller of a listing that our team keeps off can't change its serial number, nor make it something else", async () => {
  const [student, seller] = [await makeStudent(), await makeUser()];
  const phone = await postPhone(seller, IMEI);
  await reportAs(student, IMEI);
  const changed = await sendPhone(seller, phone, { serial: "5CD1234XYZ" });
  expect(changed).toContain(LISTING_ANSWERS.serial_kept.serial);
  expect(changed, "what was typed").toContain("5CD1234XYZ");
  expect(await sendPhone(seller, phone, { serial: "-" })).toContain(LISTING_ANSWERS.serial_kept.serial);
  for (const [field, value] of [
    ["type", "textbook"],
    ["type", "none"],
    ["name", "Mathematics textbook"],
  ] as const)
    expect(await sendPhone(seller, phone, { [field]: value })).toContain(LISTING_ANSWERS.serial_kept.type);
  expect(await serialOf(phone)).toBe("7518");
  await sendPhone(seller, phone, { serial: IMEI, price: "1400" });
  const [row] = await db.select({ price: products.price }).from(products).where(eq(products.id, phone));
  expect(row?.price, "other edits go on").toBe(1_400);
});

test("who took a report back can report the same number again a day later", async () => {
  const student = await makeStudent();
  await reportAs(student, IMEI);
  const { reports } = await openSerials(db, student.id);
  await takeBack(servicesAt(), { userId: student.id, id: reports[0]?.id ?? "" });
  expect(await reportAs(student, IMEI)).toEqual({ ok: false, code: "serial", error: SERIAL_TEXTS.reported_again });
  expect(await reportAs(student, "5CD1234XYZ"), "another one").toEqual({ ok: true });
  expect(await reportAs(student, IMEI, 25 * HOUR)).toEqual({ ok: true });
});

test("who lists serial numbers learns of no more of them in a day than who asks", async () => {
  const seller = await makeUser();
  const phone = await postPhone(seller, "5CD1234XY1");
  for (const end of [2, 3, 4, 5]) await postPhone(seller, `5CD1234XY${end}`);
  expect(await tryPostPhone(seller, "5CD1234XY6")).toEqual({ ok: false, code: "serial_often" });
  expect(await sendPhone(seller, phone, { serial: "5CD1234XY6" })).toContain(SERIAL_TEXTS.saved_often);
  expect(await sendPhone(seller, phone, { serial: "5CD1234XY1" }), "the one it has").not.toContain("alert");
  expect(await askAboutSerial(servicesAt(), seller, IMEI)).toEqual({ ok: false, code: "often" });
});

test("a listing or a seller that comes back keeps its deals, also where it is held again", async () => {
  const [student, first, second] = [await makeStudent(), await makeAdmin(), await makeAdmin()];
  const deal = await payDeal();
  await db.insert(listingSerials).values({ productId: deal.productId, ...keep(IMEI), createdAt: 1 });
  await reportAs(student, IMEI);
  const ends = () =>
    db.$count(dealTimers, and(eq(dealTimers.orderItemId, deal.itemId), eq(dealTimers.kind, "party_gone")));
  const [found] = await casesAbout(deal.productId);
  const caseId = found?.id ?? "";
  await decideCase(servicesAt(), first, { caseId, decision: "removed", statement: "Stolen" });
  expect(await ends()).toBe(1);
  await sendAppeal(servicesAt(), { token: found?.appealToken ?? "", text: "I have a receipt" });
  const granted = { caseId, granted: true, answer: "Sorry" };
  expect(await answerAppeal(servicesAt(), second, granted)).toMatchObject({ ok: true });
  expect((await stateOf(deal.productId))?.heldFor).toBe("serial:stolen");
  expect(await ends()).toBe(0);

  await changeListing(deal.productId, { suspendedAt: null, heldFor: null });
  await suspendUser(servicesAt(), first, deal.sellerId, "Fraud");
  expect(await ends()).toBe(1);
  await restoreUser(servicesAt(), first, deal.sellerId);
  expect((await stateOf(deal.productId))?.heldFor).toBe("serial:stolen");
  expect(await ends()).toBe(0);
});

test("only its seller reads a serial number, and no more than its end", async () => {
  const [seller, other] = [await makeUser(), await makeUser()];
  const phone = await postPhone(seller, IMEI);
  expect(await (await visit(`/product/${phone}/edit`, { as: seller })).text()).toContain("It ends in 7518");
  for (const [path, as] of [
    [`/product/${phone}`, other],
    [`/product/${phone}`, seller],
    [publicProductPath({ id: phone, name: "Samsung" }), undefined],
  ] as const)
    expect(await (await visit(path, { as })).text()).not.toMatch(/(?<![\w-])7518(?![\w-])|490154203237518/);
  expect((await openListing(servicesAt(), seller, phone))?.serialEnding).toBe("7518");
  const data = await (await visit("/settings/my-data", { as: seller })).text();
  expect(data).toContain("7518");
  expect(data).not.toContain(keepSerial(IMEI, servicesAt().passwordPepper).hash);
  expect(await deleteAccount(servicesAt(), seller)).toMatchObject({ ok: true });
  expect(await db.$count(listingSerials, eq(listingSerials.productId, phone))).toBe(0);
});

test("a deal goes on while its listing is held, and is one without a listing once it is taken down", async () => {
  const { itemId, productId } = await payDeal();
  const isGone = async () => (await findDeal(servicesAt(), itemId))?.isSellerGone;
  await changeListing(productId, { suspendedAt: Date.now(), heldFor: "serial:stolen" });
  expect(await isGone()).toBe(false);
  await changeListing(productId, { heldFor: null });
  expect(await isGone()).toBe(true);
});
