import type { ListingCopy } from "#app/catalogue/listing-copy.server.ts";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { checkDocument, storeDocument } from "#app/accounts/trust/documents.server.ts";
import { SIGN_IN_PAUSE_MS, SIGN_IN_TRIES } from "#app/accounts/login/account-rules.ts";
import { NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { countFound } from "#app/catalogue/search/search.server.ts";
import { listedBy } from "#app/catalogue/selling/listed-by.server.ts";
import { moveListings } from "#app/catalogue/selling/listings.server.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";
import { readCopy } from "#app/db/copies.ts";
import { copies } from "#app/db/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import {
  changeDetails,
  changePassword,
  checkOwnPassword,
  findSettings,
} from "#app/accounts/profile/settings.server.ts";
import { detailsForm, settingsForm } from "#app/accounts/profile/settings-forms.ts";
import { endSessions, signIn } from "#app/accounts/login/sign-in.server.ts";
import { deleteOldCounters, deleteOldLinks, sweepDocuments } from "#app/accounts/sweep.server.ts";
import { issueEmailToken } from "#app/accounts/login/email-tokens.server.ts";
import { write } from "#app/db/batch.ts";
import { resetPassword } from "#app/accounts/login/password-reset.server.ts";
import { isAlive, makeAccount, ORIGIN, PASSWORD, readRow, sessionCookie } from "#tests/support/accounts.ts";
import { eventually } from "#tests/support/eventually.ts";
import { db, makeDeal, makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { mailTo } from "#tests/support/sign-up.ts";
import { visit } from "#tests/support/visit.ts";
import { expectLevels } from "#tests/support/verified-levels.ts";

afterEach(expectLevels);

vi.setConfig({ testTimeout: 30_000 });

const NEW_PASSWORD = "a-new-password";

test("name, phone and campus are changed, and a campus of the list keeps its spelling and id", async () => {
  const { id } = await makeAccount();
  const campus = (campusLocation: string) =>
    changeDetails(
      servicesAt(),
      id,
      { fullName: "Achieng Odhiambo", phone: "254733000001", campusLocation, currentPassword: "" },
      moveListings,
    );
  await campus("parklands");
  expect(await readRow("profiles", id)).toMatchObject({
    full_name: "Achieng Odhiambo",
    phone: "254733000001",
    campus_location: "Parklands Campus",
    campus_location_id: 3,
  });
  await campus("Kisumu Annex");
  expect(await readRow("profiles", id)).toMatchObject({ campus_location: "Kisumu Annex", campus_location_id: null });
});

test("a new campus becomes that of the seller's listings, where lists find them, and an order keeps its copy", async () => {
  const phone = "254722000020";
  const { sellerId, productId } = await makeDeal({ sellerPhone: phone });
  const [sold, gone, others] = [
    await makeProduct(sellerId, { status: "sold" }),
    await makeProduct(sellerId),
    await makeProduct(await makeUser()),
  ];
  await db.update(products).set({ deletedAt: 1 }).where(eq(products.id, gone));
  const form = { intent: "details", fullName: "Wanjiku Otieno", phone, campusLocation: "parklands" };
  expect((await visit("/settings", { as: sellerId, form })).status).toBe(302);

  const listings = await db.select().from(products);
  const campusOf = (id: string) => listings.find((listing) => listing.id === id)?.location;
  expect([productId, sold, gone, others].map(campusOf)).toEqual([
    "Parklands Campus",
    "Parklands Campus",
    "Main Campus",
    "Main Campus",
  ]);
  const listed = (campus: string) =>
    countFound(
      db,
      { text: "", filters: { ...NO_LIST_FILTERS, campuses: [campus] }, vocabulary: new Map(), sellerId },
      KEPT_TABLE,
    );
  expect([await listed("Main Campus"), await listed("Parklands Campus")]).toEqual([0, 1]);
  const copied = await db.select().from(copies).where(eq(copies.subjectId, productId)).orderBy(copies.id);
  expect(copied.map(({ content }) => readCopy<ListingCopy>(content)?.campus)).toEqual([
    "Main Campus",
    "Parklands Campus",
  ]);
});

test.each([
  [
    { intent: "details", fullName: " ", phone: "0712345678", campusLocation: "Main Campus" },
    "fullName",
    "Full name is required",
  ],
  [
    { intent: "details", fullName: "Achieng", phone: "0202345678", campusLocation: "Main Campus" },
    "phone",
    "Invalid phone number format. Use format: 07XXXXXXXX or 254XXXXXXXXX",
  ],
  [
    { intent: "password", currentPassword: PASSWORD, newPassword: "12345" },
    "newPassword",
    "Password must be at least 6 characters",
  ],
  [
    { intent: "password", currentPassword: PASSWORD, newPassword: "x".repeat(201) },
    "newPassword",
    "Password must be at most 200 characters",
  ],
  [{ intent: "delete", confirmation: "yes", currentPassword: PASSWORD }, "confirmation", "Type DELETE to confirm"],
])("the settings form %j is refused at %s", (form, field, message) => {
  const parsed = (form.intent === "details" ? detailsForm : settingsForm).safeParse(form);
  expect(parsed.error?.issues.map((issue) => [issue.path[0], issue.message])).toContainEqual([field, message]);
});

test("a new password ends the links by which another could be set", async () => {
  const { id } = await makeAccount();
  const link = issueEmailToken(servicesAt(), { userId: id, purpose: "password_reset", lifeMs: 60_000 });
  await write(db, link.statements);
  const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  expect(await changePassword(servicesAt(), id, change)).toMatchObject({ ok: true });
  expect(await resetPassword(servicesAt(), { token: link.token, password: "a-thief's-password" })).toMatchObject({
    ok: false,
  });
});

test("a session that was logged out is over, also where KV, which is slow to hear of it, still has it", async () => {
  const { id } = await makeAccount();
  const cookie = await sessionCookie(id);
  const { keys } = await env.SESSIONS.list();
  const kept = await Promise.all(keys.map(async ({ name }) => [name, (await env.SESSIONS.get(name)) ?? ""] as const));
  await visit("/logout", { form: {}, headers: { Cookie: cookie } });
  for (const [name, value] of kept) await env.SESSIONS.put(name, value);
  expect(await isAlive(cookie)).toBe(false);
});

test("a new password ends every other session, and this one goes on with its new epoch", async () => {
  const { id, email } = await makeAccount();
  const otherSession = await sessionCookie(id);
  const changed = await changePassword(servicesAt(), id, { currentPassword: PASSWORD, newPassword: NEW_PASSWORD });
  expect(changed).toEqual({ ok: true, epoch: 2 });
  expect([await isAlive(otherSession), await isAlive(await sessionCookie(id, 2))]).toEqual([false, true]);
  expect(await signIn(servicesAt(), { email, password: NEW_PASSWORD, address: null, device: null })).toMatchObject({
    ok: true,
  });
});

test("without the present password nothing changes, and guessing it ends", async () => {
  const { id } = await makeAccount();
  const hash = (await readRow("credentials", id)).password_hash;
  for (let guess = 0; guess < SIGN_IN_TRIES; guess += 1) {
    expect(await changePassword(servicesAt(), id, { currentPassword: "wrong", newPassword: NEW_PASSWORD })).toEqual({
      ok: false,
      code: "wrong",
    });
  }
  expect(await changePassword(servicesAt(), id, { currentPassword: PASSWORD, newPassword: NEW_PASSWORD })).toEqual({
    ok: false,
    code: "busy",
  });
  expect((await readRow("credentials", id)).password_hash).toBe(hash);
  expect(await checkOwnPassword(servicesAt(SIGN_IN_PAUSE_MS + 1), id, PASSWORD)).toMatchObject({ ok: true });
});

test("of two password changes at once, one wins", async () => {
  const { id } = await makeAccount();
  const changes = await Promise.all(
    ["first-password", "second-password"].map((newPassword) =>
      changePassword(servicesAt(), id, { currentPassword: PASSWORD, newPassword }),
    ),
  );
  expect(changes.filter((change) => change.ok)).toHaveLength(1);
  expect((await readRow("credentials", id)).session_epoch).toBe(2);
});

test("an account of Google sets its first password by an emailed link only", async () => {
  const { id, email } = await makeAccount({ password: null });
  const first = { intent: "password", currentPassword: "", newPassword: NEW_PASSWORD };
  expect((await visit("/settings.data", { as: id, form: first })).status).toBe(400);
  expect((await readRow("credentials", id)).password_hash).toBeNull();

  expect((await visit("/settings.data", { as: id, form: { intent: "password-link" } })).status).toBe(202);
  const link = await eventually(async () => {
    const [mail] = await mailTo(email);
    return z.url().parse(mail?.links[0]);
  });
  const token = new URL(link).searchParams.get("token") ?? "";
  const reset = await resetPassword(servicesAt(), { token, password: NEW_PASSWORD });
  expect(reset).toMatchObject({ ok: true, userId: id });
  expect(await signIn(servicesAt(), { email, password: NEW_PASSWORD, address: null, device: null })).toMatchObject({
    ok: true,
  });
});

test("logging out of all devices ends every session at once and closes the live connection", async () => {
  const { id } = await makeAccount();
  const [phone, laptop] = [await sessionCookie(id), await sessionCookie(id)];
  const opened = await env.APP.fetch(`${ORIGIN}/live`, {
    headers: { Upgrade: "websocket", Cookie: phone, Origin: ORIGIN },
  });
  const socket = opened.webSocket;
  if (!socket) throw new Error("no socket");
  socket.accept();
  const closed = new Promise<number>((resolve) => {
    socket.addEventListener("close", (event) => resolve(event.code));
  });
  await endSessions(servicesAt(), id);
  await servicesAt().notifier.endSessions(id);
  expect([await isAlive(phone), await isAlive(laptop), await closed]).toEqual([false, false, 4001]);
});

const PDF = "%PDF-1.7\n1 0 obj << >> endobj\n%%EOF";

async function upload(userId: string, name: string): Promise<string> {
  const checked = await checkDocument(new File([PDF], name), "student_id");
  if (!checked.ok) throw new Error(checked.error);
  return (await storeDocument(servicesAt(), userId, checked.document)).documentId;
}

function download(documentId: string, cookie?: string): Promise<Response> {
  return env.APP.fetch(`${ORIGIN}/documents/${documentId}`, { headers: cookie ? { Cookie: cookie } : {} });
}

test("a document is served to its owner and to admins, as a download that can do nothing, and to nobody else", async () => {
  const [owner, admin, stranger] = [await makeAccount(), await makeAccount(), await makeAccount()];
  await env.DB.prepare("UPDATE profiles SET admin_role = 'owner' WHERE id = ?").bind(admin.id).run();
  const documentId = await upload(owner.id, "kitambulisho yangu – 2026.pdf");

  for (const allowed of [owner, admin]) {
    const answer = await download(documentId, await sessionCookie(allowed.id));
    expect(answer.status).toBe(200);
    expect(new TextDecoder().decode(await answer.arrayBuffer())).toBe(PDF);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition":
        "attachment; filename=\"kitambulisho yangu _ 2026.pdf\"; filename*=UTF-8''kitambulisho%20yangu%20%E2%80%93%202026.pdf",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "private, no-store",
    });
  }
  const answers = [
    await download(documentId),
    await download(documentId, await sessionCookie(stranger.id)),
    await download("nope", await sessionCookie(owner.id)),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  const ended = await sessionCookie(owner.id);
  await endSessions(servicesAt(), owner.id);
  expect((await download(documentId, ended)).status).toBe(404);
});

test("the settings list the owner's documents with status and reason, without those that were replaced", async () => {
  const { id } = await makeAccount();
  const first = await upload(id, "first.pdf");
  await env.DB.prepare(
    `UPDATE verification_documents SET verification_status = 'rejected', review_reason = 'Too dark to read'
      WHERE id = ?`,
  )
    .bind(first)
    .run();
  expect((await findSettings(servicesAt(), id, listedBy(id)))?.documents).toMatchObject([
    { id: first, status: "rejected", reason: "Too dark to read", fileName: "first.pdf" },
  ]);
  const second = await upload(id, "second.pdf");
  expect((await findSettings(servicesAt(), id, listedBy(id)))?.documents).toMatchObject([
    { id: second, status: "pending", reason: null },
  ]);
});

test("the hourly sweep deletes files of replaced documents, old links and old counters, and nothing else", async () => {
  const { id } = await makeAccount();
  await env.DB.prepare("DELETE FROM uploads").run();
  const [replaced, current] = [await upload(id, "first.pdf"), await upload(id, "second.pdf")];
  const day = 24 * 60 * 60_000;
  const count = async (query: string) => (await env.DB.prepare(query).first<{ n: number }>())?.n;
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO rate_counters (key, window_start, count) VALUES ('sweep:old', ?, 1), ('sweep:new', ?, 1)",
    ).bind(Date.now() - 3 * day, Date.now()),
    env.DB.prepare(
      `INSERT INTO email_tokens (id, token_hash, user_id, purpose, expires_at, created_at)
        VALUES ('t-old', 'h1', ?1, 'confirmation', ?2, 1), ('t-new', 'h2', ?1, 'confirmation', ?3, 1)`,
    ).bind(id, Date.now() - 31 * day, Date.now() + day),
  ]);
  expect(await sweepDocuments(servicesAt())).toBe(0);
  expect(await sweepDocuments(servicesAt(day + 1))).toBe(1);
  await deleteOldLinks(servicesAt());
  await deleteOldCounters(servicesAt());
  const cookie = await sessionCookie(id);
  expect([(await download(replaced, cookie)).status, (await download(current, cookie)).status]).toEqual([404, 200]);
  expect(await count("SELECT COUNT(*) AS n FROM email_tokens WHERE id IN ('t-old', 't-new')")).toBe(1);
  expect(await count("SELECT COUNT(*) AS n FROM rate_counters WHERE key = 'sweep:old'")).toBe(0);
});

test("the settings of somebody without a profile are nothing to show", async () => {
  const nobody = crypto.randomUUID();
  expect(await findSettings(servicesAt(), nobody, listedBy(nobody))).toBeNull();
});

test("a phone is optional in the settings, and stays where payouts need it", async () => {
  const { id } = await makeAccount();
  const details = { intent: "details", fullName: "Achieng Atieno", phone: "", campusLocation: "City Campus" };
  expect((await visit("/settings", { as: id, form: details })).status).toBe(302);
  expect(await readRow("profiles", id)).toMatchObject({ phone: null, campus_location: "City Campus" });
  expect((await visit("/settings", { as: id, form: { ...details, phone: "0712345678" } })).status).toBe(302);
  await env.DB.prepare("UPDATE profiles SET is_seller = 1 WHERE id = ?").bind(id).run();
  const refused = await visit("/settings", { as: id, form: { ...details, fullName: "Somebody" } });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain("We need this number to send your payouts to");
  expect(await readRow("profiles", id)).toMatchObject({ phone: "254712345678", full_name: "Achieng Atieno" });
});

test("a wholesaler needs no campus, and a student does", async () => {
  const { id } = await makeAccount();
  const details = { intent: "details", fullName: "Kamau Traders", phone: "0712345678", campusLocation: "" };
  const student = await visit("/settings", { as: id, form: details });
  expect([student.status, (await student.text()).includes("Campus location is required")]).toEqual([400, true]);
  await env.DB.prepare("UPDATE profiles SET account_type = 'wholesaler' WHERE id = ?").bind(id).run();
  expect((await visit("/settings", { as: id, form: details })).status).toBe(302);
  expect((await visit("/home", { as: id })).status).toBe(200);
});
