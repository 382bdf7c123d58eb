/** The admin pages: what admins do, what everybody else gets, and two admins at once. */
import { env } from "cloudflare:workers";
import { and, desc, eq, inArray, like, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { decideVerification, listVerifications } from "#app/admin/people/verifications.server.ts";
import { generateCodes, listCodes } from "#app/admin/people/codes.server.ts";
import { listProblems } from "#app/admin/problems/problems.server.ts";
import { addIssueNote, closeIssue, findIssue } from "#app/admin/problems/issues.server.ts";
import { seenPoint } from "#app/admin/catalogue/meeting-point-rules.ts";
import { hidePoint, openCampusesPage } from "#app/admin/catalogue/campuses.server.ts";
import { listCategoriesForAdmins } from "#app/admin/catalogue/categories.server.ts";
import { openMoneyPage } from "#app/admin/money/money.server.ts";
import { listPeople } from "#app/admin/people/people.server.ts";
import { isReceiptUsed } from "#app/admin/money/used-receipts.server.ts";
import { acceptPayment, dismissPayment, isOwnMoney, resolveDiscrepancy } from "#app/admin/money/money-moves.server.ts";
import {
  restoreListing,
  restoreUser,
  suspendListing,
  suspendUser,
} from "#app/moderation/suspensions/suspensions.server.ts";
import { completeProfile } from "#app/accounts/profile/complete-profile.server.ts";
import { changeDetails } from "#app/accounts/profile/settings.server.ts";
import { storeDocument } from "#app/accounts/trust/documents.server.ts";
import { signIn } from "#app/accounts/login/sign-in.server.ts";
import { saveShop } from "#app/shops/shop-settings.server.ts";
import { threadOf } from "#app/messaging/message-rules.ts";
import { auditLog } from "#app/team/tables.server.ts";
import { categories, products } from "#app/catalogue/tables.server.ts";
import {
  campusLocations,
  credentials,
  profiles,
  verificationDocuments,
  wholesalerDetails,
} from "#app/accounts/tables.server.ts";
import {
  discrepancies,
  ledgerEntries,
  paymentAttempts,
  payouts,
  receiptChecks,
  refunds,
} from "#app/payments/tables.server.ts";
import { issueReports, orders } from "#app/orders/tables.server.ts";
import { moderationCases } from "#app/moderation/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import { openDatabase } from "#app/db/client.ts";
import { databaseThrough } from "#tests/support/faults.ts";
import { isAlive, makeAccount, PASSWORD, readRow, sessionCookie } from "#tests/support/accounts.ts";
import {
  booksOff,
  type Deal,
  db,
  makeDeal,
  makeProduct,
  makeUser,
  readAttempts,
  readOrder,
  readPayout,
  servicesAt,
} from "#tests/support/fixtures.ts";
import { beginConversations } from "#tests/support/messages.ts";
import { newReceipt } from "#tests/support/paid-deal.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { deliverItem } from "#app/deals/fulfilment.server.ts";
import { receiveCallback } from "#tests/support/callbacks.ts";
import { mpesaConfirms } from "#tests/support/receipts.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import {
  parkDuePayout,
  recordTransfer,
  reserveTransfer,
  retryTransfer,
} from "#app/admin/money/transfer-moves.server.ts";
import { asPayout, asRefund } from "#tests/support/transfers.ts";
import { write } from "#app/db/batch.ts";
import { dayName } from "#app/platform/east-africa-time.ts";
import { openShopListings } from "#app/screens/my-shop/my-shop.server.ts";
import { openHome } from "#app/shops/shops.server.ts";

let admin: { id: string; email: string };
beforeEach(async () => {
  admin = await makeAdmin();
});

async function audited(subject: string) {
  return (await db.select().from(auditLog).where(eq(auditLog.subject, subject))).map(({ actorId, action, detail }) => ({
    actorId,
    action,
    detail,
  }));
}

async function mailsTo(key: string) {
  return (await db.select().from(outbox)).filter((entry) => entry.dedupeKey.startsWith(key));
}

// ------------------------------------------------------------------- the door

// The table of authorisation.test.ts has the answers of all admin pages.
test("for anybody but admins, admin pages answer like unknown paths", async () => {
  const user = await makeUser();
  for (const as of [null, user]) {
    for (const request of [
      {},
      { form: { intent: "approve", id: "x" } },
      { headers: { "Sec-Fetch-Dest": "image" } },
      { method: "DELETE" },
    ]) {
      for (const suffix of ["", ".data"]) {
        const told = async (path: string) => {
          const answer = await visit(path + suffix, { as, ...request });
          const headers = [answer.status, answer.headers.get("Location"), [...answer.headers.keys()].toSorted()];
          return [...headers, plain(await answer.text(), path)];
        };
        const missing = await told("/no-such-path");
        for (const path of ["/admin", "/admin/money", "/admin/problems/x"])
          expect(await told(path), `${path}${suffix} ${JSON.stringify(request)}`).toEqual(missing);
      }
    }
  }
});

/** An answer without the parts that differ between requests. */
function plain(body: string, path: string): string {
  return body
    .replaceAll(/nonce="[^"]*"/g, "nonce")
    .replaceAll(path, "PATH")
    .replaceAll(/"[A-Za-z0-9+/=]{20,}"/g, "");
}

test("a former or suspended admin can decide nothing", async () => {
  const former = await makeAdmin();
  await env.DB.prepare("UPDATE profiles SET admin_role = NULL WHERE id = ?").bind(former.id).run();
  expect(await generateCodes(servicesAt(), former, 2)).toBeNull();
  expect(await suspendUser(servicesAt(), former, await makeUser(), "x")).toEqual({ ok: false, code: "stale" });
  expect((await db.select().from(auditLog).where(eq(auditLog.actorId, former.id))).length).toBe(0);
});

test("an email in ADMIN_EMAILS becomes an admin at login, and nobody else does", async () => {
  const account = await makeAccount();
  const services = { ...servicesAt(), adminEmails: [account.email] };
  const attempt = { email: account.email, password: PASSWORD, address: null, device: null };
  await signIn(services, { ...attempt, password: "wrong" });
  expect((await readRow("profiles", account.id)).admin_role).toBeNull();
  await signIn(services, attempt);
  expect((await readRow("profiles", account.id)).admin_role).toBe("owner");
  expect((await visit("/admin/codes", { as: account.id })).status).toBe(200);
  const unconfirmed = await makeAccount({ confirmed: false });
  await signIn({ ...servicesAt(), adminEmails: [unconfirmed.email] }, { ...attempt, email: unconfirmed.email });
  expect((await readRow("profiles", unconfirmed.id)).admin_role).toBeNull();
});

// ---------------------------------------------------------------------- codes

test("codes are made as many as were asked for, listed newest first, and written down", async () => {
  const refused = await visit("/admin/codes", { as: admin.id, form: { count: "51" } });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toMatch(/Enter a number from 1 to 50/);
  const answer = await visit("/admin/codes.data", { as: admin.id, form: { count: "3" } });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("Generated 3 new access code(s)");
  const codes = await generateCodes(servicesAt(1), admin, 50);
  expect(new Set(codes).size).toBe(50);
  const first = await listCodes(db, "available", null);
  expect(first.rows.map(({ code }) => code).every((code) => codes?.includes(code))).toBe(true);
  const second = await listCodes(db, "available", first.next);
  expect(new Set([...first.rows, ...second.rows].map(({ id }) => id)).size).toBe(
    first.rows.length + second.rows.length,
  );
  expect((await listCodes(db, "used", null)).rows.filter(({ code }) => codes?.includes(code))).toEqual([]);
  expect((await audited("wholesaler_codes")).filter(({ actorId }) => actorId === admin.id)).toEqual([
    { actorId: admin.id, action: "codes_generated", detail: "3" },
    { actorId: admin.id, action: "codes_generated", detail: "50" },
  ]);
  const page = await (await visit("/admin/codes", { as: admin.id })).text();
  expect(page).toContain("Wholesaler Access Codes");
  expect(page).toContain("Generate Codes");
});

test("a form that is sent twice, and at once, makes its codes once; another number, or another admin, makes others", async () => {
  const key = crypto.randomUUID();
  const made = await Promise.all(Array.from({ length: 5 }, () => generateCodes(servicesAt(), admin, 11, key)));
  expect(new Set(made.map(String)).size).toBe(1);
  expect(new Set(made[0]).size).toBe(11);
  const others = [
    await generateCodes(servicesAt(), admin, 2, key),
    await generateCodes(servicesAt(), await makeAdmin(), 2, crypto.randomUUID()),
  ];
  expect(new Set([...others.flat(), ...(made[0] ?? [])]).size).toBe(15);
  const form = { count: "4", formKey: crypto.randomUUID() };
  for (const sent of [form, form]) expect((await visit("/admin/codes", { as: admin.id, form: sent })).status).toBe(200);
  expect(
    (await audited("wholesaler_codes")).filter(({ actorId }) => actorId === admin.id).map(({ detail }) => detail),
  ).toEqual(["11", "2", "4"]);
});

// --------------------------------------------------------------------- people

test("people are found by the beginning of their address, by phone and by a part of their name; without a search those who are suspended", async () => {
  const name = `Akinyi ${crypto.randomUUID().slice(0, 8)} O'Brien`;
  const phone = `2547${Math.floor(10_000_000 + Math.random() * 89_000_000)}`;
  const id = await makeUser({ name, phone });
  const { email } = (await db
    .select({ email: credentials.email })
    .from(credentials)
    .where(eq(credentials.id, id))
    .get()) ?? { email: "" };
  for (const search of [
    email.toUpperCase(),
    email.slice(0, 20),
    `0${phone.slice(3)}`,
    `+254 ${phone.slice(3)}`,
    name.slice(2),
    name.toUpperCase(),
    name.split(" ").toReversed().join("  "),
  ]) {
    const { rows } = await listPeople(db, ` ${search} `, null);
    expect([search, rows.map((row) => row.id)]).toEqual([search, [id]]);
    expect(JSON.stringify(rows)).not.toContain(phone);
  }
  for (const search of ["%", "_", `${name} and more`, phone.slice(0, 11)])
    expect([search, (await listPeople(db, search, null)).rows.find((row) => row.id === id)]).toEqual([
      search,
      undefined,
    ]);

  const suspended = await visit(`/admin/people.data?q=${encodeURIComponent(email)}`, {
    as: admin.id,
    form: { intent: "suspend-user", id, reason: "Sold a stolen phone", subject: `suspend-user:${id}` },
  });
  expect(suspended.status).toBe(202);
  const listed = (await listPeople(db, "", null)).rows.find((row) => row.id === id);
  expect(listed).toMatchObject({
    suspensionReason: "Sold a stolen phone",
    suspendedBy: "Daniel Kiprono",
    suspendedAt: expect.any(Number),
  });
  const page = await (await visit("/admin/people", { as: admin.id })).text();
  expect(page).toContain("Sold a stolen phone");
  expect((await visit("/admin/people.data", { as: admin.id, form: { intent: "restore-user", id } })).status).toBe(202);
  expect((await listPeople(db, "", null)).rows.map((row) => row.id)).not.toContain(id);
  await env.DB.prepare("UPDATE profiles SET deleted_at = 1 WHERE id = ?").bind(id).run();
  expect((await listPeople(db, email, null)).rows).toEqual([]);
});

// ----------------------------------------------------------------- categories

async function addedCategory(id: string): Promise<{ id: string; productId: string }> {
  const seller = await makeUser();
  const productId = await makeProduct(seller);
  await db.insert(categories).values({
    id,
    name: id,
    nameKey: id,
    status: "approved",
    createdBy: seller,
    createdAt: Date.now(),
  });
  await db.update(products).set({ category: id }).where(eq(products.id, productId));
  return { id, productId };
}

async function categoryOf(productId: string): Promise<string | null | undefined> {
  const [row] = await db.select().from(products).where(eq(products.id, productId));
  return row?.category;
}

function sendCategoryForm(as: string, form: Record<string, string>) {
  return visit("/admin/categories.data", { as, form: { subject: `${form.intent}:${form.id}`, ...form } });
}

test("an added category is merged into another or removed, once, with a line in the audit log; Chuoni's own stay", async () => {
  const [spam, double] = [await addedCategory("spam-deals"), await addedCategory("text-books")];
  const listed = await listCategoriesForAdmins(db, "SPAM");
  expect(listed.rows).toMatchObject([{ id: "spam-deals", listings: 1 }]);
  expect(listed.targets.map(({ id }) => id)).toContain("textbooks");

  const merge = { intent: "merge-category", id: double.id, into: "textbooks" };
  const answers = await Promise.all([sendCategoryForm(admin.id, merge), sendCategoryForm(admin.id, merge)]);
  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  expect(await categoryOf(double.productId)).toBe("textbooks");
  await sendCategoryForm(admin.id, { intent: "remove-category", id: spam.id });
  expect(await categoryOf(spam.productId)).toBeNull();
  expect((await listCategoriesForAdmins(db, "")).rows.map(({ id }) => id)).not.toContain("spam-deals");

  // Refused: a category that is gone, one merged into itself, a missing target, and one of our own.
  const kept = await addedCategory("kept");
  await sendCategoryForm(admin.id, { intent: "merge-category", id: kept.id, into: kept.id });
  await sendCategoryForm(admin.id, { intent: "merge-category", id: kept.id, into: "no-such-category" });
  expect((await sendCategoryForm(admin.id, { intent: "merge-category", id: kept.id, into: "" })).status).toBe(400);
  await sendCategoryForm(admin.id, { intent: "remove-category", id: "stationery" });
  expect(await categoryOf(kept.productId)).toBe("kept");
  const log = await env.DB.prepare("SELECT action, subject, detail FROM audit_log WHERE actor_id = ? ORDER BY rowid")
    .bind(admin.id)
    .all();
  expect(log.results).toEqual([
    { action: "category_merged", subject: "category:text-books", detail: "into textbooks" },
    { action: "category_removed", subject: "category:spam-deals", detail: null },
  ]);
});

// -------------------------------------------------------------- meeting points

function sendPointForm(as: string, form: Record<string, string>) {
  return visit("/admin/campuses.data", { as, form: { subject: `${form.intent}:${form.id}`, ...form } });
}

async function pointsOf(campus: string) {
  const { campuses } = await openCampusesPage(db);
  return campuses.find(({ id }) => id === campus)?.points ?? [];
}

test("a campus is added once under any of its names, and removed while nobody uses it", async () => {
  const add = (name: string) =>
    visit("/admin/campuses.data", { as: admin.id, form: { subject: "add-campus:new", intent: "add-campus", name } });
  const names = async () => (await openCampusesPage(db)).campuses.map(({ name }) => name);
  const before = await names();
  await Promise.all([add("Njoro  Campus"), add("Njoro Campus")]);
  for (const same of ["Njoro Campus", "the njoro campus", "NJORO"]) expect((await add(same)).status).toBe(409);
  expect((await add("M-Pesa Agent")).status).toBe(400);
  expect(await names()).toEqual([...before, "Njoro Campus"]);
  const added = (await openCampusesPage(db)).campuses.at(-1);
  expect(added?.isUnused).toBe(true);
  const remove = { intent: "remove-campus", id: added?.id ?? "" };
  const student = await makeUser();
  await db
    .update(profiles)
    .set({ campusLocationId: Number(added?.id) })
    .where(eq(profiles.id, student));
  await sendPointForm(admin.id, remove);
  expect(await names()).toContain("Njoro Campus");
  await db.update(profiles).set({ campusLocationId: null }).where(eq(profiles.id, student));
  await sendPointForm(admin.id, remove);
  await sendPointForm(admin.id, remove);
  expect(await names()).toEqual(before);
  const log = await db.select().from(auditLog).where(like(auditLog.subject, "campus:%"));
  expect(log.map(({ action }) => action)).toEqual(["campus_added", "campus_removed"]);
});

test("whoever wrote a campus before it was listed is on it once it is, with their listings", async () => {
  const [seller, other] = [await makeUser(), await makeUser()];
  const productId = await makeProduct(seller, { location: "ngong" });
  const typed = (id: string, campusLocation: string) =>
    db.update(profiles).set({ campusLocation, campusLocationId: null }).where(eq(profiles.id, id));
  await typed(seller, "ngong");
  await typed(other, "Ngong Hills");
  const form = { subject: "add-campus:new", intent: "add-campus", name: "Ngong Campus" };
  expect((await visit("/admin/campuses.data", { as: admin.id, form })).status).toBeLessThan(400);
  const [added] = await db.select().from(campusLocations).where(eq(campusLocations.name, "Ngong Campus"));
  const people = await db
    .select()
    .from(profiles)
    .where(inArray(profiles.id, [seller, other]));
  expect(
    new Map(people.map(({ id, campusLocation, campusLocationId }) => [id, [campusLocation, campusLocationId]])),
  ).toEqual(
    new Map([
      [seller, ["Ngong Campus", added?.id]],
      [other, ["Ngong Hills", null]],
    ]),
  );
  expect(await db.select({ at: products.location }).from(products).where(eq(products.id, productId))).toEqual([
    { at: "Ngong Campus" },
  ]);
});

test("a campus's semester is set by who saw the one before, and its people read of it", async () => {
  const semesterOf = async () => (await openCampusesPage(db)).campuses.find(({ id }) => id === "1")?.semester;
  const day = (days: number) => dayName(Date.now() + days * 24 * 60 * 60_000);
  const [closesOn, opensOn] = [day(5), day(40)];
  const form = { subject: "set-semester:1", intent: "set-semester", id: "1", closesOn, opensOn, seen: "|" };
  const refused = await visit("/admin/campuses.data", { as: admin.id, form: { ...form, opensOn: closesOn } });
  expect(refused.status).toBe(400);
  await sendPointForm(admin.id, form);
  await sendPointForm(admin.id, { ...form, closesOn: day(9) });
  expect(await semesterOf()).toEqual({ closesOn, opensOn });

  const student = await makeUser();
  await db.update(profiles).set({ campusLocationId: 1 }).where(eq(profiles.id, student));
  const told = async (viewerId: string) => (await openHome(servicesAt(), { viewerId, wantsAll: false })).semester;
  expect(await told(student)).toMatchObject({ list: { label: "See What's Leaving" }, sells: true });
  expect((await openShopListings(servicesAt(), student, null)).head.semester).toMatchObject({ time: "leaving" });
  await db.update(profiles).set({ campusLocationId: 2 }).where(eq(profiles.id, student));
  expect(await told(student)).toBeNull();

  await sendPointForm(admin.id, { ...form, closesOn: "", opensOn: "", seen: `${closesOn}|${opensOn}` });
  expect(await semesterOf()).toEqual({ closesOn: "", opensOn: "" });
});

test("meeting points are added, changed and hidden, each with a line in the audit log", async () => {
  const hours = { opensAt: "08:00", closesAt: "20:00" };
  await sendPointForm(admin.id, { intent: "add-point", id: "1", name: "Library steps", ...hours });
  const [added] = await pointsOf("1");
  expect(added).toMatchObject({ name: "Library steps", opensAt: 480, closesAt: 1200, weekdaysOnly: false });

  const id = added?.id ?? "";
  const seen = added ? seenPoint(added) : "";
  const change = { intent: "edit-point", id, seen, ...hours };
  await sendPointForm(admin.id, { ...change, name: "Library, front steps", weekdaysOnly: "on", isGuarded: "on" });
  // A second admin still sees the point as it was before.
  await sendPointForm(admin.id, { ...change, name: "Old library" });
  await sendPointForm(admin.id, { intent: "hide-point", id });
  await sendPointForm(admin.id, { intent: "hide-point", id });
  expect(await pointsOf("1")).toMatchObject([
    { name: "Library, front steps", weekdaysOnly: true, isGuarded: true, isHidden: true },
  ]);
  await sendPointForm(admin.id, { intent: "show-point", id });
  expect(await pointsOf("1")).toMatchObject([{ isHidden: false }]);

  const log = await db
    .select()
    .from(auditLog)
    .where(eq(auditLog.subject, `meeting_point:${id}`));
  expect(log.map(({ action }) => action)).toEqual([
    "meeting_point_added",
    "meeting_point_changed",
    "meeting_point_hidden",
    "meeting_point_shown",
  ]);
});

test("a campus asks for its meeting points where it has one, and lets its sellers choose again", async () => {
  const send = (intent: string) =>
    visit("/admin/campuses.data", { as: admin.id, form: { subject: `${intent}:3`, intent, id: "3" } });
  const since = async () => (await openCampusesPage(db)).campuses.find(({ id }) => id === "3")?.pointsOnlySince;
  expect((await send("set-points-only")).status).toBe(409);
  const hours = { opensAt: "08:00", closesAt: "20:00" };
  await sendPointForm(admin.id, { intent: "add-point", id: "3", name: "Gate", ...hours });
  expect(await since()).toBeNull();
  await send("set-points-only");
  const first = await since();
  expect(first).toBeGreaterThan(0);
  await send("set-points-only");
  expect(await since()).toBe(first);
  // Its only point stays as long as it asks for it.
  const [gate] = await pointsOf("3");
  const hide = { intent: "hide-point", id: gate?.id ?? "" };
  await sendPointForm(admin.id, hide);
  expect(await pointsOf("3")).toMatchObject([{ name: "Gate", isHidden: false }]);
  expect(await hidePoint(servicesAt(), admin, hide.id, true)).toEqual({ ok: false, code: "last_point" });
  await sendPointForm(admin.id, { intent: "add-point", id: "3", name: "Library", ...hours });
  await sendPointForm(admin.id, hide);
  expect((await pointsOf("3")).filter(({ isHidden }) => isHidden)).toMatchObject([{ name: "Gate" }]);
  await send("end-points-only");
  expect(await since()).toBeNull();
  const log = await db.select().from(auditLog).where(eq(auditLog.subject, "campus:3"));
  expect(log.map(({ action }) => action)).toEqual(["points_only_set", "points_only_ended"]);
});

test.each([
  ["no name", { name: " " }, 400],
  ["a long name", { name: "a".repeat(61) }, 400],
  ["no time", { opensAt: "early" }, 400],
  ["a time that doesn't exist", { closesAt: "24:30" }, 400],
  ["an end before the beginning", { opensAt: "20:00", closesAt: "08:00" }, 400],
  ["the name of another point of the campus", { name: "Cafeteria" }, 409],
])("a meeting point with %s is refused", async (_, change, status) => {
  const form = { intent: "add-point", id: "2", name: "Cafeteria", opensAt: "08:00", closesAt: "20:00" };
  if (status === 409) await sendPointForm(admin.id, form);
  const before = await pointsOf("2");
  expect((await sendPointForm(admin.id, { ...form, ...change })).status).toBe(status);
  expect(await pointsOf("2")).toEqual(before);
});

// -------------------------------------------------------------- verifications

async function applicant(
  type: "student_id" | "business_license" = "business_license",
): Promise<{ userId: string; documentId: string }> {
  const userId = await makeUser();
  if (type === "business_license") {
    await db.insert(wholesalerDetails).values({ userId, businessName: "Otieno Traders", createdAt: 1, updatedAt: 1 });
    await env.DB.prepare("UPDATE profiles SET account_type = 'wholesaler' WHERE id = ?").bind(userId).run();
  }
  const bytes = new TextEncoder().encode("%PDF-1.7 a licence");
  const { documentId } = await storeDocument(servicesAt(), userId, {
    documentType: type,
    fileName: "licence.pdf",
    kind: "pdf",
    bytes,
  });
  return { userId, documentId };
}

async function standing(userId: string) {
  const [document, profile, details] = await Promise.all([
    env.DB.prepare(
      `SELECT verification_status AS s, review_reason AS reason FROM verification_documents WHERE user_id = ?
        ORDER BY created_at DESC, id`,
    )
      .bind(userId)
      .first<{ s: string; reason: string | null }>(),
    readRow("profiles", userId),
    env.DB.prepare("SELECT verification_status AS s FROM wholesaler_details WHERE user_id = ?")
      .bind(userId)
      .first<{ s: string }>(),
  ]);
  return [document?.s, profile.verification_status, details?.s];
}

test("an approval moves document, profile and business together, and the owner is told by mail and on their page", async () => {
  const { userId, documentId } = await applicant();
  const opened = await visit("/live", { as: userId, headers: { Upgrade: "websocket" } });
  const heard: string[] = [];
  opened.webSocket?.accept();
  opened.webSocket?.addEventListener("message", ({ data }) => {
    heard.push(String(data));
  });
  expect((await listVerifications(db, "pending", null)).rows.find(({ id }) => id === documentId)).toMatchObject({
    businessName: "Otieno Traders",
    fileName: "licence.pdf",
  });
  expect((await visit(`/documents/${documentId}`, { as: admin.id })).status).toBe(200);

  const decided = await visit("/admin/verifications.data?show=pending", {
    as: admin.id,
    form: { intent: "approve", id: documentId, subject: `approve:${documentId}` },
  });
  expect(decided.status).toBe(202);
  expect(await standing(userId)).toEqual(["approved", "approved", "approved"]);
  expect(await audited(`document:${documentId}`)).toEqual([
    { actorId: admin.id, action: "document_approved", detail: null },
  ]);
  expect(await mailsTo(`verification:${documentId}`)).toHaveLength(1);
  expect(heard.join()).toContain("You're verified");
});

test("a rejection needs a reason; a new document waits again; an earlier approval outlives a later rejection", async () => {
  const { userId, documentId } = await applicant();
  const silent = await visit("/admin/verifications.data", {
    as: admin.id,
    form: { intent: "reject", id: documentId, reason: "  " },
  });
  expect(silent.status).toBe(400);
  expect(await standing(userId)).toEqual(["pending", "pending", "pending"]);
  expect(
    await decideVerification(servicesAt(), admin, documentId, { approve: false, reason: "It cannot be read" }),
  ).toBe(true);
  expect(await standing(userId)).toEqual(["rejected", "rejected", "rejected"]);

  const bytes = new TextEncoder().encode("%PDF-1.7 again");
  const again = await storeDocument(servicesAt(5), userId, {
    documentType: "business_license",
    fileName: "b.pdf",
    kind: "pdf",
    bytes,
  });
  expect(await standing(userId)).toEqual(["pending", "pending", "pending"]);
  await decideVerification(servicesAt(), admin, again.documentId, { approve: true });
  const third = await storeDocument(servicesAt(9), userId, {
    documentType: "business_license",
    fileName: "c.pdf",
    kind: "pdf",
    bytes,
  });
  await decideVerification(servicesAt(), admin, third.documentId, { approve: false, reason: "Not needed" });
  expect(await standing(userId)).toEqual(["rejected", "approved", "approved"]);
});

test("of two admins who decide at once one wins, and nobody decides about their own document", async () => {
  const { documentId } = await applicant("student_id");
  const other = await makeAdmin();
  const decided = await Promise.all([
    decideVerification(servicesAt(), admin, documentId, { approve: true }),
    decideVerification(servicesAt(), other, documentId, { approve: false, reason: "No" }),
  ]);
  expect(decided.filter(Boolean)).toHaveLength(1);
  expect(await audited(`document:${documentId}`)).toHaveLength(1);
  const own = await storeDocument(servicesAt(), admin.id, {
    documentType: "student_id",
    fileName: "a.pdf",
    kind: "pdf",
    bytes: new Uint8Array([1]),
  });
  expect(await decideVerification(servicesAt(), admin, own.documentId, { approve: true })).toBe(false);
  const [row] = await db.select().from(verificationDocuments).where(eq(verificationDocuments.id, own.documentId));
  expect(row?.verificationStatus).toBe("pending");
});

test("once the file is gone our team and its owner read when, and another name needs the ID again", async () => {
  const { userId, documentId } = await applicant("student_id");
  await decideVerification(servicesAt(), admin, documentId, { approve: true });
  const gone = Date.UTC(2026, 10, 29, 9);
  await db.update(verificationDocuments).set({ fileDeletedAt: gone }).where(eq(verificationDocuments.id, documentId));
  expect((await visit(`/documents/${documentId}`, { as: admin.id })).status).toBe(404);
  const desk = await (await visit("/admin/verifications?show=approved", { as: admin.id })).text();
  expect(desk).toContain("deleted on");
  expect(desk).not.toContain(`/documents/${documentId}`);
  const settings = await (await visit("/profile?tab=settings&section=documents", { as: userId })).text();
  expect(settings).toContain("deleted on");
  expect(settings).not.toContain(`/documents/${documentId}`);
  expect(await standing(userId)).toEqual(["approved", "approved", undefined]);

  const details = { fullName: "Achieng Wafula", phone: null, campusLocation: "Main Campus", currentPassword: "" };
  expect(await changeDetails(servicesAt(), userId, details, () => [])).toEqual({ ok: true, review: "needs_document" });
  expect(await standing(userId)).toEqual(["replaced", "pending", undefined]);
  const after = await (await visit("/profile?tab=settings&section=documents", { as: userId })).text();
  expect(after).toContain("Upload your student ID to become a verified student");
});

test("a verified student who takes another name is looked at again, told so each time, and not for other spacing", async () => {
  const { userId, documentId } = await applicant("student_id");
  const rename = (fullName: string) =>
    visit("/settings", {
      as: userId,
      form: { intent: "details", fullName, phone: "0712345678", campusLocation: "Main Campus" },
    });
  const { full_name: name } = await readRow("profiles", userId);
  await decideVerification(servicesAt(), admin, documentId, { approve: true });
  await rename(` ${String(name).toUpperCase()} `);
  expect(await standing(userId)).toEqual(["approved", "approved", undefined]);

  const renamed = await rename("Uhuru Otieno");
  expect(renamed.headers.getSetCookie().join()).toContain("flash=");
  expect(await standing(userId)).toEqual(["pending", "pending", undefined]);
  expect((await listVerifications(db, "pending", null)).rows).toContainEqual(
    expect.objectContaining({ id: documentId, fullName: "Uhuru Otieno" }),
  );
  await decideVerification(servicesAt(1000), admin, documentId, { approve: true });
  expect(await standing(userId)).toEqual(["approved", "approved", undefined]);
  expect(await mailsTo(`verification:${documentId}`)).toHaveLength(2);

  await completeProfile(servicesAt(), userId, {
    fullName: "Another Name",
    phone: "0712345678",
    campusLocation: "Main Campus",
    isSeller: false,
  });
  expect(await standing(userId)).toEqual(["pending", "pending", undefined]);
});

test("nobody is approved under a name that the admin has not seen, and of two admins who suspend somebody at once one does", async () => {
  const { userId, documentId } = await applicant("student_id");
  const { full_name: seen } = await readRow("profiles", userId);
  await env.DB.prepare("UPDATE profiles SET full_name = 'Equity Bank' WHERE id = ?").bind(userId).run();
  const form = { intent: "approve", id: documentId, subject: `approve:${documentId}` };
  await visit("/admin/verifications", { as: admin.id, form: { ...form, seen: String(seen) } });
  expect(await standing(userId)).toEqual(["pending", "pending", undefined]);
  await visit("/admin/verifications", { as: admin.id, form: { ...form, seen: "Equity Bank" } });
  expect(await standing(userId)).toEqual(["approved", "approved", undefined]);

  const other = await makeAdmin();
  const suspended = await Promise.all([
    suspendUser(servicesAt(), admin, userId, "Pretends to be a bank"),
    suspendUser(servicesAt(), other, userId, "Fraud"),
  ]);
  expect(suspended.filter(({ ok }) => ok)).toHaveLength(1);
  expect(suspended).toContainEqual({ ok: false, code: "stale" });
  expect(await audited(`user:${userId}`)).toHaveLength(1);
  expect((await readRow("credentials", userId)).session_epoch).toBe(2);
  const [about] = await db.select().from(moderationCases).where(eq(moderationCases.reportedId, userId));
  expect(await mailsTo(`case_decided:${about?.id}`)).toHaveLength(1);
});

test("whatever a verified shop is called, its badge names the business that was looked at", async () => {
  const { userId, documentId } = await applicant("business_license");
  await decideVerification(servicesAt(), admin, documentId, { approve: true });
  await env.DB.prepare("UPDATE profiles SET account_type = 'wholesaler', is_seller = 1 WHERE id = ?")
    .bind(userId)
    .run();
  const [details] = await db.select().from(wholesalerDetails).where(eq(wholesalerDetails.userId, userId));
  const business = String(details?.businessName);
  const product = await makeProduct(userId);
  const marks = async (as: string | null) =>
    Promise.all(
      [`/seller/${userId}`, ...(as ? [`/product/${product}`] : [])].map(async (path) =>
        (await (await visit(path, { as })).text()).includes(`Verified business: ${business}`),
      ),
    );
  await saveShop(servicesAt(), userId, {
    shopName: "Equity Bank Deals",
    description: null,
    businessHours: null,
    policies: null,
    offersDelivery: false,
    preferredContact: null,
    banner: null,
    logo: null,
  });
  expect([await marks(null), await marks(admin.id)]).toEqual([[true], [true, true]]);
  await saveShop(servicesAt(), userId, {
    shopName: ` ${business.toUpperCase()} `,
    description: null,
    businessHours: null,
    policies: null,
    offersDelivery: false,
    preferredContact: null,
    banner: null,
    logo: null,
  });
  expect(await marks(null)).toEqual([false]);
  await visit("/settings", {
    as: userId,
    form: { intent: "details", fullName: "Someone Else", phone: "0712345678", campusLocation: "Main Campus" },
  });
  expect(await standing(userId)).toEqual(["approved", "approved", "approved"]);
});

// --------------------------------------------------------------------- issues

const MESSAGE_PHOTO = {
  key: `img/${"ab".repeat(16)}`,
  width: 640,
  height: 480,
  widths: [320, 640],
  tone: "#808080",
  thumbhash: "",
};

async function reported(): Promise<Deal & { issueId: string }> {
  const deal = await makeDeal();
  const thread = threadOf(deal.buyerId, deal.sellerId);
  const issueId = crypto.randomUUID();
  const createdAt = Date.now();
  await write(db, [
    db.insert(issueReports).values({
      id: issueId,
      userId: deal.buyerId,
      sellerId: deal.sellerId,
      productId: deal.productId,
      orderId: deal.orderId,
      description: "It never came",
      createdAt,
    }),
  ]);
  await env.DB.prepare(
    `INSERT INTO messages (id, thread, sender_id, recipient_id, order_id, product_id, message, images, sender_name,
      recipient_name, read, created_at) VALUES (?, ?, ?, ?, ?, ?, 'Where is it?', ?, 'A', 'B', 0, ?)`,
  )
    .bind(
      crypto.randomUUID(),
      thread,
      deal.buyerId,
      deal.sellerId,
      deal.orderId,
      deal.productId,
      JSON.stringify([MESSAGE_PHOTO]),
      createdAt,
    )
    .run();
  await beginConversations();
  return { ...deal, issueId };
}

test("a report comes with its people, listing, order, payments and conversation", async () => {
  const deal = await reported();
  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: "254700000977" });
  expect(await findIssue(servicesAt().db, deal.issueId)).toMatchObject({
    order: { id: deal.orderId },
    listing: { id: deal.productId },
    people: [{ id: deal.buyerId }, { id: deal.sellerId }],
    conversation: { messages: [{ message: "Where is it?", images: [MESSAGE_PHOTO] }], older: null },
    payments: [{ what: "payment" }],
  });
  const page = await visit(`/admin/problems/${deal.issueId}`, { as: admin.id });
  expect(await page.text()).toContain(`src="/files/${MESSAGE_PHOTO.key}/`);
  expect((await listProblems(servicesAt(), "reports", null)).rows.map(({ id }) => id)).toContain(deal.issueId);
  expect(await findIssue(servicesAt().db, crypto.randomUUID())).toBeNull();
});

test("a report is noted on and closed once, and who reported it is told", async () => {
  const { issueId } = await reported();
  const other = await makeAdmin();
  expect(await addIssueNote(servicesAt(), admin, issueId, "Called the seller")).toBe(true);
  const closed = await Promise.all([
    closeIssue(servicesAt(), admin, issueId, "Sent again"),
    closeIssue(servicesAt(), other, issueId, "Refunded"),
  ]);
  expect(closed.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await audited(`issue:${issueId}`)).toHaveLength(2);
  expect(await mailsTo(`issue_closed:${issueId}`)).toHaveLength(1);
  expect((await findIssue(servicesAt().db, issueId))?.history.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["issue_noted", "issue_closed"]),
  );
});

test("finance closes a report, and suspends nobody and takes nothing down from its page", async () => {
  const { issueId, buyerId, productId } = await reported();
  const finance = await makeAdmin();
  await env.DB.prepare("UPDATE profiles SET admin_role = 'finance' WHERE id = ?").bind(finance.id).run();
  const page = await (await visit(`/admin/problems/${issueId}`, { as: finance.id })).text();
  expect(page).toContain("Close Report");
  expect(page).not.toMatch(/value="suspend-(user|listing)"/);
  const send = (form: Record<string, string>) => visit(`/admin/problems/${issueId}`, { as: finance.id, form });
  await send({ intent: "suspend-user", id: buyerId, reason: "A test" });
  await send({ intent: "suspend-listing", id: productId, reason: "A test" });
  const suspended = await env.DB.prepare(
    `SELECT (SELECT suspended_at FROM credentials WHERE id = ?) AS person,
      (SELECT suspended_at FROM products WHERE id = ?) AS listing`,
  )
    .bind(buyerId, productId)
    .first();
  expect(suspended).toEqual({ person: null, listing: null });
  await send({ intent: "close", outcome: "Settled" });
  expect((await audited(`issue:${issueId}`)).map(({ action }) => action)).toEqual(["issue_closed"]);
});

test("no admin closes a report about their own order, because it keeps the money from being released", async () => {
  const { issueId, buyerId, sellerId } = await reported();
  await env.DB.prepare("UPDATE profiles SET admin_role = 'owner' WHERE id IN (?, ?)").bind(buyerId, sellerId).run();
  for (const own of [buyerId, sellerId]) {
    const answer = await visit(`/admin/problems/${issueId}.data`, {
      as: own,
      form: { intent: "close", outcome: "It is fine" },
    });
    expect(await answer.text()).not.toContain("It is fine");
  }
  expect((await listProblems(servicesAt(), "reports", null)).rows.map(({ id }) => id)).toContain(issueId);
  expect(await audited(`issue:${issueId}`)).toEqual([]);
  expect(await closeIssue(servicesAt(), { ...admin, id: sellerId }, issueId, "It is fine")).toEqual({
    ok: false,
    code: "own_money",
  });
  expect(await closeIssue(servicesAt(), await makeAdmin(), issueId, "Delivered")).toEqual({ ok: true });
});

test("a suspension ends every session and channel at once, shuts the door and hides the listings; restoring undoes exactly that", async () => {
  const seller = await makeAccount();
  const [shown, hidden] = [await makeProduct(seller.id), await makeProduct(seller.id)];
  await suspendListing(servicesAt(-9), admin, hidden, "A weapon");
  const cookie = await sessionCookie(seller.id);
  const opened = await visit("/live", { as: seller.id, headers: { Upgrade: "websocket" } });
  const socket = opened.webSocket;
  if (!socket) throw new Error("no socket");
  socket.accept();
  const closed = new Promise<number>((done) => {
    socket.addEventListener("close", ({ code }) => done(code));
  });

  expect(await suspendUser(servicesAt(), admin, seller.id, "Took money and ran")).toEqual({ ok: true });
  expect(await closed).toBe(4001);
  expect(await isAlive(cookie)).toBe(false);
  const attempt = { email: seller.email, password: PASSWORD, address: null, device: null };
  expect(await signIn(servicesAt(), attempt)).toEqual({ ok: false, code: "suspended" });
  expect(await (await visit("/auth", { form: { email: seller.email, password: PASSWORD } })).text()).toContain(
    "This account is suspended. Please contact support.",
  );
  expect(await isListed(shown)).toBe(false);
  const cases = await db.select().from(moderationCases).where(eq(moderationCases.reportedId, seller.id));
  const about = cases.find(({ subject }) => subject === "person");
  expect(await mailsTo(`case_decided:${about?.id}`)).toHaveLength(1);
  expect(await restoreListing(servicesAt(), admin, shown)).toEqual({ ok: false, code: "stale" });

  expect(await restoreUser(servicesAt(), admin, seller.id)).toEqual({ ok: true });
  expect(await signIn(servicesAt(), attempt)).toMatchObject({ ok: true });
  expect([await isListed(shown), await isListed(hidden)]).toEqual([true, false]);
  expect(await isAlive(cookie)).toBe(false);
  expect((await audited(`user:${seller.id}`)).map(({ action }) => action)).toEqual(["user_suspended", "user_restored"]);
});

async function isListed(productId: string): Promise<boolean> {
  const row = await env.DB.prepare("SELECT suspended_at FROM products WHERE id = ?")
    .bind(productId)
    .first<{ suspended_at: number | null }>();
  return row?.suspended_at === null;
}

test("no admin is suspended, oneself neither, and a deleted account is not brought back", async () => {
  const other = await makeAdmin();
  expect(await suspendUser(servicesAt(), admin, admin.id, "x")).toEqual({ ok: false, code: "protected" });
  expect(await suspendUser(servicesAt(), admin, other.id, "x")).toEqual({ ok: false, code: "protected" });
  const gone = await makeUser();
  await env.DB.batch([
    env.DB.prepare("UPDATE profiles SET deleted_at = 1 WHERE id = ?").bind(gone),
    env.DB.prepare("UPDATE credentials SET suspended_at = 1 WHERE id = ?").bind(gone),
  ]);
  expect(await restoreUser(servicesAt(), admin, gone)).toEqual({ ok: false, code: "stale" });
});

// ---------------------------------------------------------------------- money

/** A delivered item with a due payout. */
async function delivered(): Promise<Deal & { payoutId: string }> {
  const deal = await makeDeal({ price: 2_000 });
  await requestOrderPayment(servicesAt(), {
    orderId: deal.orderId,
    userId: deal.buyerId,
    phone: `2547${Math.floor(10_000_000 + Math.random() * 80_000_000)}`,
  });
  const [attempt] = await readAttempts(deal.orderId);
  if (!attempt) throw new Error("no attempt");
  await applyAttemptEvent(servicesAt(), attempt.id, {
    event: "paid",
    receipt: newReceipt(),
    paidAt: null,
    checkoutRequestId: attempt.checkoutRequestId ?? "",
  });
  await env.DB.prepare("UPDATE order_items SET status = 'shipped', buyer_contacted = 1, buyer_agreed = 1 WHERE id = ?")
    .bind(deal.itemId)
    .run();
  const result = await deliverItem(servicesAt(), { itemId: deal.itemId, sellerId: deal.sellerId });
  if (!result.ok || !result.payoutId) throw new Error("not delivered");
  return { ...deal, payoutId: result.payoutId };
}

test("a due payout is parked with a reason, once also by two admins at once, and taken up again; one under way is left alone", async () => {
  const { payoutId, itemId } = await delivered();
  const other = await makeAdmin();
  const parked = await Promise.all(
    [admin, other].map((by) => parkDuePayout(servicesAt(), by, payoutId, "The buyer complained")),
  );
  expect(parked.filter(Boolean)).toEqual([true]);
  expect(await readPayout(itemId)).toMatchObject({
    state: "parked",
    waitDetail: "The buyer complained",
    nextActionAt: null,
  });
  expect(await parkDuePayout(servicesAt(), admin, payoutId, "Again")).toBe(false);
  const retried = await Promise.all([
    retryTransfer(servicesAt(), admin, asPayout(payoutId)),
    retryTransfer(servicesAt(), other, asPayout(payoutId)),
  ]);
  expect(retried.filter(Boolean)).toMatchObject([{ orderItemId: itemId }]);
  expect(await readPayout(itemId)).toMatchObject({ state: "due", waitReason: null });
  for (const state of ["sending", "sent", "unknown", "done"] as const) {
    await db.update(payouts).set({ state }).where(eq(payouts.id, payoutId));
    expect(await parkDuePayout(servicesAt(), admin, payoutId, "No")).toBe(false);
    expect(await retryTransfer(servicesAt(), admin, asPayout(payoutId))).toBeNull();
  }
  await db.update(payouts).set({ state: "due" }).where(eq(payouts.id, payoutId));
  expect((await audited(`payout:${payoutId}`)).map(({ action }) => action)).toEqual([
    "payout_parked",
    "payout_retried",
  ]);
});

/** An order whose payment is uncertain, and what M-Pesa's portal shows of it. */
async function heldDeal(): Promise<Deal & { attemptId: string }> {
  const deal = await makeDeal({ price: 3_000 });
  await requestOrderPayment(servicesAt(), {
    orderId: deal.orderId,
    userId: deal.buyerId,
    phone: `2547${Math.floor(10_000_000 + Math.random() * 80_000_000)}`,
  });
  const [attempt] = await readAttempts(deal.orderId);
  await applyAttemptEvent(servicesAt(), attempt?.id ?? "", {
    event: "mismatched",
    detail: "the callback says KES 3001, the order is KES 3000",
  });
  return { ...deal, attemptId: attempt?.id ?? "" };
}

async function openDiscrepancies(subject: string) {
  return (await db.select().from(discrepancies).where(eq(discrepancies.subject, subject))).filter(
    ({ resolvedAt }) => resolvedAt === null,
  );
}

interface StatusOfReceipt {
  amount?: number;
  status?: string;
  code?: number;
  payer?: string;
  receiver?: string;
  receipt?: string;
}

/**
 * M-Pesa answers the last question about `receipt`, or the body that it said. Missing values fit the payment of KES
 * 3,000. Returns the outcome.
 */
async function mpesaSays(
  receipt: string,
  said: StatusOfReceipt | string = {},
  services = servicesAt(),
  asked?: typeof receiptChecks.$inferSelect,
): Promise<string> {
  const [last] = await db
    .select()
    .from(receiptChecks)
    .where(eq(receiptChecks.receipt, receipt))
    .orderBy(desc(receiptChecks.createdAt));
  const check = asked ?? last;
  if (typeof said === "string")
    return receiveCallback(services, { kind: "receipt", token: check?.token ?? "", body: said });
  const [attempt] = await db
    .select({ phone: paymentAttempts.phone })
    .from(paymentAttempts)
    .where(eq(paymentAttempts.id, check?.attemptId ?? ""));
  const parameters = [
    { Key: "DebitPartyName", Value: `${said.payer ?? attempt?.phone} - A Student` },
    { Key: "DebitPartyName", Value: `${said.receiver ?? env.DARAJA_SHORTCODE} - Chuoni` },
    { Key: "TransactionStatus", Value: said.status ?? "Completed" },
    { Key: "Amount", Value: said.amount ?? 3_000 },
    { Key: "ReceiptNo", Value: said.receipt ?? receipt },
  ];
  const Result = { ResultCode: said.code ?? 0, ResultParameters: { ResultParameter: parameters } };
  const body = JSON.stringify({ Result });
  return receiveCallback(services, { kind: "receipt", token: check?.token ?? "", body });
}

test("a held payment is taken as paid once M-Pesa has confirmed its receipt, once, and its order goes on", async () => {
  const { attemptId, orderId } = await heldDeal();
  expect(await openDiscrepancies(attemptId)).toHaveLength(1);
  const other = await heldDeal();
  const receipt = newReceipt();
  expect(await acceptPayment(servicesAt(), admin, attemptId, receipt)).toEqual({ ok: true });
  expect((await readAttempts(orderId))[0]).toMatchObject({ state: "held", confirmedAt: null });
  const answers = await Promise.all([mpesaSays(receipt), mpesaSays(receipt)]);
  expect(answers).toContain("receipt_confirmed");

  expect(await readOrder(orderId)).toMatchObject({
    paymentStatus: "completed",
    orderStatus: "processing",
    receipt,
    paymentFailure: null,
  });
  const [attempt] = await readAttempts(orderId);
  expect(attempt).toMatchObject({ state: "succeeded", receipt, nextQueryAt: null });
  expect(attempt?.confirmedAt).not.toBeNull();
  expect(await db.select().from(ledgerEntries).where(eq(ledgerEntries.attemptId, attemptId))).toHaveLength(2);
  expect(await openDiscrepancies(attemptId)).toEqual([]);
  expect(await acceptPayment(servicesAt(), admin, attemptId, newReceipt())).toEqual({ ok: false, code: "stale" });
  expect(await acceptPayment(servicesAt(), admin, other.attemptId, receipt)).toEqual({ ok: false, code: "used" });
  expect((await readAttempts(other.orderId))[0]?.state).toBe("held");
  expect(await booksOff()).toEqual({});
});

test.each<[string, StatusOfReceipt]>([
  ["M-Pesa does not know", { code: 2032 }],
  ["M-Pesa has for another amount", { amount: 2_999 }],
  ["went to another account", { receiver: "999999" }],
  ["another number paid", { payer: "254799999999" }],
  ["another number paid, which M-Pesa masks", { payer: "2547 ***** 998" }],
  ["was sent back", { status: "Reversed" }],
  ["the answer does not name", { receipt: "ZZZZZZZZZZ" }],
])("a receipt that %s settles nothing, however sure the admin is", async (_case, said) => {
  const { attemptId, orderId } = await heldDeal();
  const receipt = newReceipt();
  expect(await acceptPayment(servicesAt(), admin, attemptId, receipt)).toEqual({ ok: true });
  expect(await mpesaSays(receipt, said)).toBe("receipt_rejected");
  expect((await readAttempts(orderId))[0]).toMatchObject({ state: "held", confirmedAt: null });
  expect(await readOrder(orderId)).toMatchObject({ paymentStatus: "processing", paymentReview: "mismatch" });
  expect((await openDiscrepancies(attemptId)).map(({ detail }) => detail)).toContainEqual(
    expect.stringContaining(`M-Pesa does not confirm receipt ${receipt}`),
  );
  expect(await booksOff()).toEqual({});
});

/** What the money page says about the check of the last receipt of an attempt, `minutes` from now. */
async function checkShown(orderId: string, minutes = 0): Promise<string> {
  const page = await openMoneyPage(servicesAt(minutes * 60_000), {
    list: "attempts",
    filter: "all",
    search: orderId.slice(0, 8),
    after: null,
    adminId: admin.id,
  });
  return page.list === "attempts" ? (page.rows[0]?.receiptCheck ?? "") : "";
}

test.each<[string, StatusOfReceipt | string, string, string[]]>([
  ["is busy", { code: 26, status: "" }, "it is busy, so enter it again in a few minutes", []],
  ["has an internal failure", { code: 17, status: "" }, "it is busy, so enter it again in a few minutes", []],
  ["isn't done", { status: "Initiated" }, "its status is still “Initiated”, so enter it again later", []],
  ["can't look it up", { code: 2001, status: "" }, "it could not be looked up (2001)", ["payment_in_doubt"]],
  ["can't be understood", "<html>", "its answer cannot be read", ["payment_in_doubt"]],
])("where M-Pesa %s, the check ends in words, and the payment isn't doubted", async (_case, said, words, raised) => {
  const { attemptId, orderId } = await heldDeal();
  await db.update(discrepancies).set({ resolvedAt: 1 }).where(eq(discrepancies.subject, attemptId));
  const receipt = newReceipt();
  expect(await acceptPayment(servicesAt(), admin, attemptId, receipt)).toEqual({ ok: true });
  expect(await checkShown(orderId)).toBe(`${receipt}: being checked with M-Pesa`);
  expect(await mpesaSays(receipt, said)).toBe(said === "<html>" ? "unreadable" : "receipt_rejected");
  expect(await checkShown(orderId)).toBe(`M-Pesa does not confirm receipt ${receipt}: ${words}`);
  expect((await openDiscrepancies(attemptId)).map(({ kind }) => kind)).toEqual(raised);
  // The same receipt is asked about again, and counts.
  expect(await acceptPayment(servicesAt(1), admin, attemptId, receipt)).toEqual({ ok: true });
  expect(await mpesaSays(receipt)).toBe("receipt_confirmed");
  expect(await openDiscrepancies(attemptId)).toEqual([]);
  expect(await booksOff()).toEqual({});
});

test("a receipt that was entered for the wrong payment is free for the right one once M-Pesa isn't asked about it any more", async () => {
  const [wrong, right] = [await heldDeal(), await heldDeal()];
  const receipt = newReceipt();
  const refusing = (code: string) => {
    const services = servicesAt();
    const lookUpReceipt = async () => ({ kind: "refused", code, message: "no", retryAfterMs: null }) as const;
    return { ...services, gateway: { ...services.gateway, lookUpReceipt } };
  };
  expect(await acceptPayment(refusing("500.003.02"), admin, wrong.attemptId, receipt)).toEqual({
    ok: false,
    code: "unreachable",
  });
  expect(await checkShown(wrong.orderId)).toBe(`${receipt}: M-Pesa didn't take our question (500.003.02: no)`);
  const isFree = async () => {
    const [row] = await db.all<{ used: number }>(
      sql`SELECT ${isReceiptUsed(receipt, right.attemptId, Date.now())} AS used`,
    );
    return row?.used === 0;
  };
  expect(await isFree()).toBe(true);

  expect(await acceptPayment(servicesAt(1), admin, wrong.attemptId, receipt)).toEqual({ ok: true });
  expect(await acceptPayment(servicesAt(), admin, right.attemptId, receipt)).toEqual({ ok: false, code: "used" });
  const [asked] = await db
    .select()
    .from(receiptChecks)
    .where(and(eq(receiptChecks.receipt, receipt), eq(receiptChecks.state, "asked")));
  await receiveCallback(servicesAt(), { kind: "lookup_timeout", token: asked?.token ?? "", body: "{}" });
  expect(await checkShown(wrong.orderId)).toBe(`${receipt}: M-Pesa was too busy to answer, so enter it again`);
  expect(await isFree()).toBe(true);

  expect(await acceptPayment(servicesAt(2), admin, wrong.attemptId, receipt)).toEqual({ ok: true });
  expect(await isFree()).toBe(false);
  const later = 61;
  expect(await checkShown(wrong.orderId, later)).toBe(`${receipt}: M-Pesa gave no answer, so enter it again`);
  expect(await acceptPayment(servicesAt(later * 60_000), admin, right.attemptId, receipt)).toEqual({ ok: true });
  // The answer that was waited for comes too late to settle the wrong one, which has the same amount.
  const unanswered = await db
    .select()
    .from(receiptChecks)
    .where(and(eq(receiptChecks.receipt, receipt), eq(receiptChecks.state, "asked")))
    .orderBy(receiptChecks.createdAt);
  expect(unanswered.map(({ attemptId }) => attemptId)).toEqual([wrong.attemptId, right.attemptId]);
  expect(await mpesaSays(receipt, { payer: "Somebody" }, servicesAt(later * 60_000), unanswered[0])).toBe(
    "receipt_rejected",
  );
  expect(await mpesaSays(receipt, { payer: "Somebody" }, servicesAt(later * 60_000), unanswered[1])).toBe(
    "receipt_confirmed",
  );
  expect([(await readAttempts(wrong.orderId))[0]?.state, (await readAttempts(right.orderId))[0]?.state]).toEqual([
    "held",
    "succeeded",
  ]);
  expect(await booksOff()).toEqual({});
});

test("no admin decides about money of an order in which they bought or sold something", async () => {
  const { attemptId, buyerId, sellerId } = await heldDeal();
  await env.DB.prepare("UPDATE profiles SET admin_role = 'owner' WHERE id IN (?, ?)").bind(buyerId, sellerId).run();
  const [discrepancy] = await openDiscrepancies(attemptId);
  const forms: Record<string, string>[] = [
    { intent: "accept", id: attemptId, receipt: newReceipt() },
    { intent: "dismiss", id: attemptId, reason: "It is fine" },
    { intent: "resolve", id: discrepancy?.id ?? "", resolution: "It is fine" },
  ];
  for (const own of [buyerId, sellerId]) {
    for (const form of forms) {
      const answer = await visit("/admin/money.data", { as: own, form: { ...form, subject: "it" } });
      expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining("ask another admin")]);
    }
  }
  expect(await openDiscrepancies(attemptId)).toHaveLength(1);
  expect(await audited(`attempt:${attemptId}`)).toEqual([]);
});

test("a receipt stands beside one thing only, whether it paid, was paid out or was sent back", async () => {
  const deal = await parkedRefund();
  expect(await reserveTransfer(servicesAt(), admin, asRefund(deal.refundId))).toBe(true);
  const paidWith = (await readAttempts(deal.orderId))[0]?.receipt ?? "";
  // The most likely mistake: copying the receipt of the buyer's payment, which is shown next to it.
  const form = { intent: "record", kind: "refund", id: deal.refundId, receipt: paidWith, subject: "it" };
  const copied = await visit("/admin/money.data?show=refunds", { as: admin.id, form });
  expect([copied.status, await copied.text()]).toEqual([
    409,
    expect.stringContaining("This receipt already belongs to another payment, payout or refund"),
  ]);
  const { payoutId } = await delivered();
  await db.update(payouts).set({ state: "parked" }).where(eq(payouts.id, payoutId));
  expect(await reserveTransfer(servicesAt(), admin, asPayout(payoutId))).toBe(true);
  expect(await recordTransfer(servicesAt(), admin, asPayout(payoutId), paidWith)).toEqual({ ok: false, code: "used" });

  const sentBack = newReceipt();
  expect(await recordTransfer(servicesAt(), admin, asRefund(deal.refundId), sentBack)).toEqual({ ok: true });
  const { attemptId } = await heldDeal();
  // Also while M-Pesa is still asked about it.
  expect(await acceptPayment(servicesAt(), admin, attemptId, sentBack)).toEqual({ ok: false, code: "used" });
  expect(await recordTransfer(servicesAt(), admin, asPayout(payoutId), sentBack)).toEqual({ ok: false, code: "used" });
  expect(await mpesaConfirms(sentBack)).toBe("receipt_confirmed");
  expect(await acceptPayment(servicesAt(), admin, attemptId, sentBack)).toEqual({ ok: false, code: "used" });
  expect(await recordTransfer(servicesAt(), admin, asPayout(payoutId), sentBack)).toEqual({ ok: false, code: "used" });
  expect(await audited(`attempt:${attemptId}`)).toEqual([]);
  expect(await booksOff()).toEqual({});
});

/** An order that was paid without a callback, so without a receipt, and a second attempt whose result is unknown. */
async function paidWithoutReceipt(): Promise<Deal & { paid: string; second: string }> {
  const deal = await makeDeal({ price: 3_000 });
  const prompt = () =>
    requestOrderPayment(servicesAt(), {
      orderId: deal.orderId,
      userId: deal.buyerId,
      phone: `2547${Math.floor(10_000_000 + Math.random() * 80_000_000)}`,
    });
  await prompt();
  const paid = (await readAttempts(deal.orderId))[0]?.id ?? "";
  await applyAttemptEvent(servicesAt(), paid, { event: "timed_out" });
  await prompt();
  const second = (await readAttempts(deal.orderId)).find(({ id }) => id !== paid)?.id ?? "";
  await applyAttemptEvent(servicesAt(), second, { event: "timed_out" });
  return { ...deal, paid, second };
}

test("a receipt isn't accepted for one payment while it may be that of another whose receipt is missing", async () => {
  const { paid, second, orderId } = await paidWithoutReceipt();
  await applyAttemptEvent(servicesAt(), paid, { event: "confirmed" });
  const receipt = newReceipt();
  const form = { intent: "accept", id: second, receipt, subject: second };
  const answer = await visit("/admin/money.data?show=attempts", { as: admin.id, form });
  expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining("enter its receipt first")]);
  expect(await acceptPayment(servicesAt(), admin, second, receipt)).toEqual({ ok: false, code: "another" });

  expect(await acceptPayment(servicesAt(), admin, paid, receipt)).toEqual({ ok: true });
  expect(await mpesaSays(receipt)).toBe("receipt_confirmed");
  expect(await readOrder(orderId)).toMatchObject({ paymentStatus: "completed", receipt });
  expect(await acceptPayment(servicesAt(), admin, paid, newReceipt())).toEqual({ ok: false, code: "stale" });
  expect(await acceptPayment(servicesAt(), admin, second, receipt)).toEqual({ ok: false, code: "used" });
  expect(await acceptPayment(servicesAt(), admin, second, newReceipt())).toEqual({ ok: true });
  expect(await db.select().from(refunds).where(eq(refunds.attemptId, second))).toEqual([]);
  expect(await booksOff()).toEqual({});
});

test("a receipt may also be that of the same phone's payment for another order, of the same amount", async () => {
  const phone = `2547${Math.floor(10_000_000 + Math.random() * 80_000_000)}`;
  const attemptFor = async (price: number) => {
    const { orderId, buyerId } = await makeDeal({ price });
    await requestOrderPayment(servicesAt(), { orderId, userId: buyerId, phone });
    const [attempt] = await readAttempts(orderId);
    await applyAttemptEvent(servicesAt(), attempt?.id ?? "", { event: "timed_out" });
    return attempt?.id ?? "";
  };
  const [paid, same, other] = [await attemptFor(3_100), await attemptFor(3_100), await attemptFor(3_200)];
  await applyAttemptEvent(servicesAt(), paid, { event: "confirmed" });
  expect(await acceptPayment(servicesAt(), admin, same, newReceipt())).toEqual({ ok: false, code: "another" });
  expect(await acceptPayment(servicesAt(), admin, other, newReceipt())).toEqual({ ok: true });
});

test("a receipt doesn't count if another payment succeeds without one before M-Pesa answers", async () => {
  const { paid, second } = await paidWithoutReceipt();
  const receipt = newReceipt();
  expect(await acceptPayment(servicesAt(), admin, second, receipt)).toEqual({ ok: true });
  await applyAttemptEvent(servicesAt(), paid, { event: "confirmed" });
  expect(await mpesaSays(receipt)).toBe("receipt_rejected");
  expect((await db.select().from(paymentAttempts).where(eq(paymentAttempts.id, second)))[0]?.state).toBe("expired");
  expect((await openDiscrepancies(second)).map(({ detail }) => detail)).toContainEqual(
    expect.stringContaining("may be that of another payment"),
  );
  expect(await db.select().from(refunds).where(eq(refunds.attemptId, second))).toEqual([]);
});

test("an answer about a receipt doesn't settle a payment that was dismissed meanwhile, and an admin reads of it", async () => {
  const { attemptId, orderId } = await heldDeal();
  const receipt = newReceipt();
  await acceptPayment(servicesAt(), admin, attemptId, receipt);
  expect(await dismissPayment(servicesAt(), await makeAdmin(), attemptId, "Sent back by hand")).toBe(true);
  expect(await openDiscrepancies(attemptId)).toEqual([]);
  expect(await mpesaSays(receipt)).toBe("receipt_rejected");
  expect(await mpesaSays(receipt)).toBe("unchanged");
  expect((await readAttempts(orderId))[0]).toMatchObject({ state: "failed", receipt: null });
  expect((await openDiscrepancies(attemptId)).map(({ detail }) => detail)).toEqual([
    `M-Pesa confirms receipt ${receipt}, but the payment was dismissed before`,
  ]);
  expect(await booksOff()).toEqual({});
});

test("a success that no query confirms is accepted with its own receipt only, and two admins with two receipts leave the question open", async () => {
  const deal = await makeDeal({ price: 3_000 });
  await requestOrderPayment(servicesAt(), {
    orderId: deal.orderId,
    userId: deal.buyerId,
    phone: `2547${Math.floor(10_000_000 + Math.random() * 80_000_000)}`,
  });
  const [attempt] = await readAttempts(deal.orderId);
  const receipt = newReceipt();
  await applyAttemptEvent(servicesAt(), attempt?.id ?? "", {
    event: "paid",
    receipt,
    paidAt: null,
    checkoutRequestId: attempt?.checkoutRequestId ?? "",
  });
  expect(await acceptPayment(servicesAt(), admin, attempt?.id ?? "", newReceipt())).toEqual({
    ok: false,
    code: "other",
  });
  expect((await readAttempts(deal.orderId))[0]).toMatchObject({ receipt, confirmedAt: null });
  expect(await acceptPayment(servicesAt(), admin, attempt?.id ?? "", receipt)).toEqual({ ok: true });
  expect((await readAttempts(deal.orderId))[0]).toMatchObject({ receipt, confirmedAt: null });
  await mpesaSays(receipt);
  expect((await readAttempts(deal.orderId))[0]).toMatchObject({ receipt, confirmedAt: expect.any(Number) });

  const { attemptId } = await heldDeal();
  const [first, second] = [newReceipt(), newReceipt()];
  await acceptPayment(servicesAt(), admin, attemptId, first);
  await acceptPayment(servicesAt(), await makeAdmin(), attemptId, second);
  await mpesaSays(first);
  await mpesaSays(second);
  const open = await openDiscrepancies(attemptId);
  expect(open.map(({ detail }) => detail)).toEqual([expect.stringMatching(/^paid as \w{10}, and again as \w{10}$/)]);
  expect(await booksOff()).toEqual({});
});

test.each([2, 3, 4, 5, 6])(
  "a payment is dismissed as a whole or not at all, if the database goes away at round trip %i",
  async (nth) => {
    const { attemptId } = await heldDeal();
    let trips = 0;
    const goesAway: typeof env.DB = databaseThrough(env.DB, (call) => {
      trips += 1;
      return trips < nth ? call() : Promise.reject(new Error("D1_ERROR: the network is gone"));
    });
    await dismissPayment({ ...servicesAt(), db: openDatabase(goesAway) }, admin, attemptId, "Sent back").catch(
      () => {},
    );
    const [attempt] = await db.select().from(paymentAttempts).where(eq(paymentAttempts.id, attemptId));
    const isDismissed = attempt?.state === "failed";
    expect(await audited(`attempt:${attemptId}`)).toHaveLength(isDismissed ? 1 : 0);
    expect(await openDiscrepancies(attemptId)).toHaveLength(isDismissed ? 0 : 1);
  },
);

test("a held payment that was not made is let go, and its buyer can pay again", async () => {
  const { attemptId, orderId, buyerId } = await heldDeal();
  const form = { intent: "dismiss", id: attemptId, subject: `dismiss:${attemptId}` };
  expect(
    (await visit("/admin/money.data?show=attempts", { as: admin.id, form: { ...form, reason: " " } })).status,
  ).toBe(400);
  await visit("/admin/money.data?show=attempts", {
    as: admin.id,
    form: { ...form, reason: "Sent back as SKJ1ABCDEF" },
  });
  expect(await readOrder(orderId)).toMatchObject({
    paymentStatus: "failed",
    paymentFailure: "dismissed",
  });
  expect(await openDiscrepancies(attemptId)).toEqual([]);
  expect(await audited(`attempt:${attemptId}`)).toEqual([
    { actorId: admin.id, action: "payment_dismissed", detail: "Sent back as SKJ1ABCDEF" },
  ]);
  expect(await dismissPayment(servicesAt(), admin, attemptId, "Again")).toBe(false);
  expect(await requestOrderPayment(servicesAt(), { orderId, userId: buyerId, phone: "254711223344" })).toMatchObject({
    ok: true,
    kind: "requested",
  });
  expect(await booksOff()).toEqual({});
});

test("a payout that M-Pesa cannot make is recorded as sent by hand, once, and never while it is on its way", async () => {
  const { payoutId, itemId } = await delivered();
  for (const state of ["due", "sending", "sent"] as const) {
    await db.update(payouts).set({ state }).where(eq(payouts.id, payoutId));
    expect(await reserveTransfer(servicesAt(), admin, asPayout(payoutId))).toBe(false);
    expect(await recordTransfer(servicesAt(), admin, asPayout(payoutId), newReceipt())).toEqual({
      ok: false,
      code: "stale",
    });
  }
  await db.update(payouts).set({ state: "parked", waitReason: "amount_too_small" }).where(eq(payouts.id, payoutId));
  expect(await recordTransfer(servicesAt(), admin, asPayout(payoutId), newReceipt())).toEqual({
    ok: false,
    code: "stale",
  });
  expect(await reserveTransfer(servicesAt(), admin, asPayout(payoutId))).toBe(true);
  const receipt = newReceipt();
  const recorded = await Promise.all([
    recordTransfer(servicesAt(), admin, asPayout(payoutId), receipt),
    recordTransfer(servicesAt(), await makeAdmin(), asPayout(payoutId), receipt),
  ]);
  expect(recorded).toEqual([{ ok: true }, { ok: true }]);
  expect(await readPayout(itemId)).toMatchObject({ state: "parked", waitReason: "sending_by_hand" });
  const answers = await Promise.all([mpesaConfirms(receipt), mpesaConfirms(receipt)]);
  expect(answers).toContain("receipt_confirmed");
  expect(await readPayout(itemId)).toMatchObject({ state: "done", waitReason: null, nextActionAt: null });
  expect(await mailsTo(`payout_sent:${payoutId}`)).toHaveLength(1);
  const second = await delivered();
  await db.update(payouts).set({ state: "parked" }).where(eq(payouts.id, second.payoutId));
  expect(await reserveTransfer(servicesAt(), admin, asPayout(second.payoutId))).toBe(true);
  const taken = (await readPayout(itemId))?.receipt ?? "";
  expect(await recordTransfer(servicesAt(), admin, asPayout(second.payoutId), taken)).toEqual({
    ok: false,
    code: "used",
  });
  expect(await booksOff()).toEqual({});
});

test("what is sent by hand goes to the number that its receiver has then: only the admin who sends it reads it in full, and the receipt counts for it", async () => {
  const { payoutId, itemId, sellerId, orderId } = await delivered();
  const [refused, corrected] = ["254733000113", "254733000114"];
  await db
    .update(payouts)
    .set({ state: "parked", waitReason: "not_registered", resultCode: "2040", phone: refused, sendCount: 1 })
    .where(eq(payouts.id, payoutId));
  const number = (phone: string, heldUntil: number | null) =>
    db.update(profiles).set({ phone, payoutsHeldUntil: heldUntil }).where(eq(profiles.id, sellerId));
  await number(corrected, Date.now() + 60_000);
  expect(await reserveTransfer(servicesAt(), admin, asPayout(payoutId))).toBe("number_changed");
  await number("", null);
  expect(await reserveTransfer(servicesAt(), admin, asPayout(payoutId))).toBe("no_number");
  await number(corrected, null);
  const shown = async (show: string, as: string) =>
    (await visit(`/admin/money?show=${show}&q=${orderId.slice(0, 8)}`, { as })).text();
  expect(await shown("payouts", admin.id)).not.toContain(corrected);
  expect(await reserveTransfer(servicesAt(), admin, asPayout(payoutId))).toBe(true);
  expect(await shown("payouts", admin.id)).toContain(`goes to ${corrected}.`);
  const other = await makeAdmin();
  expect(await shown("payouts", other.id)).not.toContain(corrected);
  expect(await audited(`payout:${payoutId}`)).toEqual([
    { actorId: admin.id, action: "payout_reserved", detail: "read the number 2547•••••114" },
  ]);
  // A later change is too late for what may have left.
  await number("254733000115", null);
  const receipt = newReceipt();
  expect(await recordTransfer(servicesAt(), admin, asPayout(payoutId), receipt)).toEqual({ ok: true });
  expect(await mpesaConfirms(receipt, { receiver: `${corrected} - A Student` })).toBe("receipt_confirmed");
  expect(await readPayout(itemId)).toMatchObject({ state: "done", receipt });
  expect(await shown("payouts", admin.id)).not.toContain(corrected);

  const found = await delivered();
  await db
    .update(payouts)
    .set({ state: "parked", waitReason: "no_record", phone: refused, sendCount: 1 })
    .where(eq(payouts.id, found.payoutId));
  // It may have left, to the number that M-Pesa was given.
  await db.update(profiles).set({ phone: corrected }).where(eq(profiles.id, found.sellerId));
  expect(await reserveTransfer(servicesAt(), admin, asPayout(found.payoutId))).toBe(true);
  expect(await readPayout(found.itemId)).toMatchObject({ phone: refused });

  const refund = await parkedRefund();
  const paidBy = (await readAttempts(refund.orderId))[0]?.phone ?? "";
  expect(await reserveTransfer(servicesAt(), admin, asRefund(refund.refundId))).toBe(true);
  const rows = (adminId: string) =>
    openMoneyPage(servicesAt(), {
      list: "refunds",
      filter: "open",
      search: refund.orderId.slice(0, 8),
      after: null,
      adminId,
    });
  expect((await rows(admin.id)).rows).toMatchObject([{ sendTo: paidBy }]);
  expect(JSON.stringify((await rows(other.id)).rows)).not.toContain(paidBy);
  // The buyer has deleted their account.
  await db.update(paymentAttempts).set({ phone: "" }).where(eq(paymentAttempts.orderId, refund.orderId));
  const unknown = await (
    await visit(`/admin/money?show=refunds&q=${refund.orderId.slice(0, 8)}`, { as: admin.id })
  ).text();
  expect(unknown).toContain("We know no number of theirs.");
  expect(await booksOff()).toEqual({});
});

async function parkedRefund(): Promise<{ refundId: string; orderId: string }> {
  const deal = await delivered();
  const [first] = await readAttempts(deal.orderId);
  const id = crypto.randomUUID();
  await env.DB.prepare(
    `INSERT INTO payment_attempts (id, purpose, order_id, user_id, phone, amount, state, callback_token,
      checkout_request_id, query_count, created_at, updated_at)
        SELECT ?1, purpose, order_id, user_id, phone, amount, 'pushed', ?1, ?1, 0, created_at, updated_at
          FROM payment_attempts WHERE id = ?2`,
  )
    .bind(id, first?.id)
    .run();
  await applyAttemptEvent(servicesAt(), id, {
    event: "paid",
    receipt: newReceipt(),
    paidAt: null,
    checkoutRequestId: id,
  });
  const [refund] = await db.select().from(refunds).where(eq(refunds.attemptId, id));
  if (!refund) throw new Error("no refund");
  await db.update(refunds).set({ state: "parked" }).where(eq(refunds.id, refund.id));
  return { refundId: refund.id, orderId: deal.orderId };
}

test("a payout that an admin sends by hand: the row asks for its receipt, its seller reads so, and it can be taken back", async () => {
  const { payoutId, itemId, sellerId, orderId } = await delivered();
  await db
    .update(payouts)
    .set({ state: "parked", waitReason: "receiver_limit", resultCode: "8", nextActionAt: null })
    .where(eq(payouts.id, payoutId));
  const send = (form: Record<string, string>, as = admin.id) =>
    visit("/admin/money.data?show=payouts", { as, form: { id: payoutId, kind: "payout", subject: "it", ...form } });
  const page = async () => (await visit(`/admin/money?show=payouts&q=${orderId.slice(0, 8)}`, { as: admin.id })).text();
  const sellersPage = async () => (await visit(`/seller/orders/${itemId}`, { as: sellerId })).text();
  expect(await sellersPage()).toContain("Try Payout Again");
  expect(await page()).toContain("I&#x27;m Sending It by Hand");
  expect(await page()).not.toContain("Mark as Paid Out");
  // A receipt before the reservation.
  await send({ intent: "record", receipt: newReceipt() });
  expect(await readPayout(itemId)).toMatchObject({ state: "parked", waitReason: "receiver_limit" });

  const other = await makeAdmin();
  await Promise.all([send({ intent: "reserve" }), send({ intent: "reserve" }, other.id)]);
  expect((await audited(`payout:${payoutId}`)).map(({ action }) => action)).toEqual(["payout_reserved"]);
  expect(await page()).toMatch(/is sending this payout by hand/);
  expect(await page()).toContain("Mark as Paid Out");
  expect(await page()).not.toContain("I&#x27;m Sending It by Hand");
  expect(await sellersPage()).toContain("sending you this money by hand");
  expect(await sellersPage()).not.toContain("Try Payout Again");
  const pressed = await visit(`/seller/orders/${itemId}.data`, { as: sellerId, form: { intent: "payout" } });
  expect([pressed.status, await pressed.text()]).toEqual([409, expect.stringContaining("money by hand")]);
  const called = await visit("/api/mpesa/b2c", {
    as: sellerId,
    body: JSON.stringify({ orderItemId: itemId }),
    headers: { "Content-Type": "application/json" },
  });
  expect(called.status).toBe(409);
  // The first button of a page from before the reservation.
  await send({ intent: "retry" }, other.id);
  expect(await readPayout(itemId)).toMatchObject({ state: "parked", waitReason: "sending_by_hand" });

  // It was not sent by hand after all: then no receipt counts.
  expect(await retryTransfer(servicesAt(), admin, asPayout(payoutId), { reserved: true })).toMatchObject({
    orderItemId: itemId,
  });
  const late = newReceipt();
  await send({ intent: "record", receipt: late });
  expect(await readPayout(itemId)).toMatchObject({ state: "due", receipt: null, waitReason: null });
  expect(await retryTransfer(servicesAt(), admin, asPayout(payoutId), { reserved: true })).toBeNull();
  expect(await booksOff()).toEqual({});
});

test("only a parked refund is tried again, and nobody decides about their own order", async () => {
  const { refundId, orderId } = await parkedRefund();
  const retry = (as: string) =>
    visit("/admin/money.data?show=refunds", {
      as,
      form: { intent: "retry", kind: "refund", id: refundId, subject: "it" },
    });
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  await env.DB.prepare("UPDATE profiles SET admin_role = 'owner' WHERE id = ?").bind(order?.userId).run();
  expect((await retry(order?.userId ?? "")).status).toBe(409);
  // A discrepancy about the refund is their own money, too.
  const discrepancyId = crypto.randomUUID();
  await db
    .insert(discrepancies)
    .values({ id: discrepancyId, kind: "refund_parked", subject: refundId, detail: "x", createdAt: Date.now() });
  expect(await isOwnMoney(servicesAt(), order?.userId ?? "", discrepancyId)).toBe(true);
  expect(await isOwnMoney(servicesAt(), admin.id, discrepancyId)).toBe(false);

  await retry(admin.id);
  const [tried] = await db.select().from(refunds).where(eq(refunds.id, refundId));
  expect(tried?.state).not.toBe("parked");
  expect(await audited(`refund:${refundId}`)).toHaveLength(1);
  const [resolved] = await db.select().from(discrepancies).where(eq(discrepancies.id, discrepancyId));
  expect(resolved?.resolution).toBe("tried again");
  await db.update(refunds).set({ state: "sent" }).where(eq(refunds.id, refundId));
  expect(await recordTransfer(servicesAt(), admin, asRefund(refundId), newReceipt())).toEqual({
    ok: false,
    code: "stale",
  });
  await retry(admin.id);
  expect(await audited(`refund:${refundId}`)).toHaveLength(1);
});

test("a discrepancy is resolved once, with words", async () => {
  const id = crypto.randomUUID();
  await db
    .insert(discrepancies)
    .values({ id, kind: "payment_mismatch", subject: id, detail: "KES 1 of 2", createdAt: 1 });
  expect(
    (await visit("/admin/money.data", { as: admin.id, form: { intent: "resolve", id, resolution: "" } })).status,
  ).toBe(400);
  const other = await makeAdmin();
  const resolved = await Promise.all([
    resolveDiscrepancy(servicesAt(), admin, id, "Explained"),
    resolveDiscrepancy(servicesAt(), other, id, "Explained"),
  ]);
  expect(resolved.filter(Boolean)).toHaveLength(1);
  expect(await audited(`discrepancy:${id}`)).toHaveLength(1);
});

test("a stop ends with the next transfer that M-Pesa makes, and not by hand", async () => {
  const id = crypto.randomUUID();
  await db
    .insert(discrepancies)
    .values({ id, kind: "payouts_stopped", subject: id, detail: "x", createdAt: Date.now() });
  expect(await resolveDiscrepancy(servicesAt(), admin, id, "Topped up")).toBe(false);
  expect(await audited(`discrepancy:${id}`)).toEqual([]);
  const page = await (await visit("/admin/money?show=discrepancies", { as: admin.id })).text();
  expect(page).toContain("This ends by itself with the next transfer that M-Pesa makes.");
  await db.delete(discrepancies).where(eq(discrepancies.id, id));
});

test("the money page searches by receipt, phone and order, and masks every phone", async () => {
  const deal = await delivered();
  const [attempt] = await readAttempts(deal.orderId);
  if (!attempt?.receipt) throw new Error("no receipt");
  for (const search of [
    attempt.receipt,
    `0${attempt.phone.slice(3)}`,
    deal.orderId.slice(0, 8),
    `Order #${deal.orderId.slice(0, 8)}`,
  ]) {
    const page = await openMoneyPage(servicesAt(), {
      list: "attempts",
      filter: "open",
      search,
      after: null,
      adminId: admin.id,
    });
    expect(page.rows.map(({ id }) => id)).toContain(attempt.id);
    expect(JSON.stringify(page)).not.toContain(attempt.phone);
  }
  const payoutsFound = await openMoneyPage(servicesAt(), {
    list: "payouts",
    filter: "open",
    search: deal.orderId.slice(0, 8),
    after: null,
    adminId: admin.id,
  });
  expect(payoutsFound.rows.map(({ id }) => id)).toContain(deal.payoutId);
  for (const show of ["discrepancies", "refunds", "payouts", "attempts", "callbacks", "ledger"]) {
    const shown = await visit(`/admin/money?show=${show}&only=all&q=${deal.orderId.slice(0, 8)}`, { as: admin.id });
    expect(shown.status).toBe(200);
    expect(await shown.text()).not.toContain(attempt.phone);
  }
});

test.each([
  [
    "/admin/universities",
    { intent: "add", id: "new", subject: "add:new", name: "Baraka University", domain: "gmail.com" },
    ["Baraka University", "gmail.com"],
  ],
  [
    "/admin/campuses",
    { intent: "add-point", name: "Dining hall steps", opensAt: "17:15", closesAt: "09:45", weekdaysOnly: "on" },
    ["Dining hall steps", "17:15", "09:45"],
  ],
  [
    "/admin/types",
    { intent: "set-word", id: "word", subject: "set-word:word", type: "", word: "hoverboard", use: "name" },
    ["hoverboard"],
  ],
  [
    "/admin/prohibited",
    { intent: "add-term", id: "word", subject: "add-term:word", kind: "word", term: "?!?!" },
    ["?!?!"],
  ],
] as const)("a refused form of %s keeps what was typed, without scripts", async (path, form, kept) => {
  const page = await (await visit(path, { as: admin.id })).text();
  const point = /name="subject" value="add-point:([^"]+)"/.exec(page)?.[1] ?? "";
  const sent = "subject" in form ? form : { ...form, id: point, subject: `add-point:${point}` };
  const answer = await visit(path, { as: admin.id, form: sent });
  expect(answer.status).toBe(400);
  const html = await answer.text();
  for (const text of kept) expect(html).toContain(`value="${text}"`);
  if ("weekdaysOnly" in form) expect(html).toMatch(/name="weekdaysOnly"[^>]* checked=""/);
});

test("what waits about money comes by age, and all of it with the newest first", async () => {
  await db.delete(discrepancies);
  const found = ["older", "newer"].map((id, at) => ({
    id,
    kind: "payout_parked" as const,
    subject: `subject-${id}`,
    detail: "It waits",
    createdAt: Date.now() - (2 - at) * 60 * 60_000,
  }));
  await db.insert(discrepancies).values(found);
  const input = { list: "discrepancies", search: "", after: null, adminId: "" } as const;
  const idsOf = async (filter: "open" | "all") =>
    (await openMoneyPage(servicesAt(), { ...input, filter })).rows.map(({ id }) => id);
  expect(await idsOf("open")).toEqual(["older", "newer"]);
  expect(await idsOf("all")).toEqual(["newer", "older"]);
});
