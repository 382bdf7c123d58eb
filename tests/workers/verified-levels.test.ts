import { env } from "cloudflare:workers";
import { and, eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { completeProfile } from "#app/accounts/profile/complete-profile.server.ts";
import { confirmEmail, sendStudentCheck } from "#app/accounts/login/confirmation.server.ts";
import { emailTokenOf } from "#app/accounts/login/email-tokens.server.ts";
import { signInWithIssuer } from "#app/accounts/login/issuer-sign-in.server.ts";
import { endStudents } from "#app/accounts/trust/student-end.server.ts";
import { STUDENT_TOLD_MS, studentUntil } from "#app/accounts/trust/student-end-rules.ts";
import { GOOGLE } from "#tests/support/issuers.ts";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import { changeDetails } from "#app/accounts/profile/settings.server.ts";
import { storeDocument } from "#app/accounts/trust/documents.server.ts";
import { afterVerifiedChanged } from "#app/accounts/trust/verified-effects.server.ts";
import { forgetSignUp } from "#app/accounts/login/forget-sign-up.server.ts";
import { addUniversity, removeUniversity } from "#app/admin/people/universities.server.ts";
import { decideVerification } from "#app/admin/people/verifications.server.ts";
import { write } from "#app/db/batch.ts";
import { idList } from "#app/db/build.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { db, makeProduct, makeUser, makeWholesaler, servicesAt, setVerification } from "#tests/support/fixtures.ts";
import { expectLevels } from "#tests/support/verified-levels.ts";
import { visit } from "#tests/support/visit.ts";

const services = servicesAt();
let admin: { id: string; email: string };

beforeAll(async () => {
  const id = await makeUser();
  await db.update(profiles).set({ adminRole: "owner" }).where(eq(profiles.id, id));
  admin = { id, email: `${id}@campus.test` };
});

const DOMAINS = ["kilima.ac.ke", "students.kilima.ac.ke", "bahari.ac.ke"];
const MAILS = ["kilima.ac.ke", "students.kilima.ac.ke", "notkilima.ac.ke", "bahari.ac.ke", "gmail.com"];

/** The rule in words: what the level must be, from what the tables say. */
async function levelsByRule(): Promise<Map<string, string>> {
  const { results: people } = await env.DB.prepare(
    `SELECT p.id, p.deleted_at AS deleted, p.verification_status AS status, p.account_type AS type, c.email,
      c.email_confirmed_at AS confirmed
     FROM profiles p JOIN credentials c ON c.id = p.id`,
  ).all<{ id: string; deleted: number; status: string; type: string; email: string; confirmed: number | null }>();
  const { results: listed } = await env.DB.prepare("SELECT domain FROM university_domains").all<{ domain: string }>();
  const level = (person: (typeof people)[number]) => {
    if (person.deleted) return "none";
    if (person.status === "approved") return person.type === "wholesaler" ? "business" : "student";
    if (person.confirmed === null) return "none";
    const host = person.email.split("@")[1] ?? "";
    const isAtUniversity = listed.some(({ domain }) => host === domain || host.endsWith(`.${domain}`));
    return person.type === "student" && isAtUniversity ? "student" : "email";
  };
  return new Map(people.map((person) => [person.id, level(person)]));
}

async function expectKept(): Promise<void> {
  const rule = await levelsByRule();
  const { results: people } = await env.DB.prepare("SELECT id, verified_level AS kept FROM profiles").all<{
    id: string;
    kept: string;
  }>();
  expect(people.map(({ id, kept }) => [id, kept])).toEqual(people.map(({ id }) => [id, rule.get(id)]));
  await expectLevels();
  const { results: listings } = await env.DB.prepare(
    `SELECT p.id, p.seller_id AS seller, p.seller_verified AS kept, p.deleted_at IS NULL
      AND p.suspended_at IS NULL AS live,
       (SELECT COUNT(*) FROM product_search WHERE rowid = p.rowid) AS entries
     FROM products p`,
  ).all<{ id: string; seller: string; kept: number; live: number; entries: number }>();
  const isVerified = (seller: string) => Number(["student", "business"].includes(rule.get(seller) ?? "none"));
  expect(listings).toEqual(
    listings.map((listing) => ({
      ...listing,
      kept: isVerified(listing.seller),
      entries: listing.live,
    })),
  );
}

type Step = (userId: string, detail: number) => Promise<unknown>;

const run = (statement: string, ...values: (string | number | null)[]) =>
  env.DB.prepare(statement)
    .bind(...values)
    .run();

const setAccount = (id: string, change: Partial<typeof credentials.$inferInsert>) =>
  write(db, [
    db
      .update(credentials)
      .set({ updatedAt: 1, ...change })
      .where(eq(credentials.id, id)),
    ...afterVerifiedChanged(idList(id), Date.now()),
  ]);

const decide =
  (approve: boolean): Step =>
  async (userId) => {
    const pending = await env.DB.prepare(
      "SELECT id FROM verification_documents WHERE user_id = ? AND verification_status = 'pending'",
    )
      .bind(userId)
      .first<{ id: string }>();
    if (!pending) return;
    await decideVerification(services, admin, pending.id, approve ? { approve } : { approve, reason: "Too dark" });
  };

const STEPS: Record<string, Step> = {
  confirm: (id) => setAccount(id, { emailConfirmedAt: 1 }),
  "change email": (id, detail) => setAccount(id, { email: `${id}@${MAILS[detail % MAILS.length]}` }),
  "upload a document": async (id) => {
    const [profile] = await db.select().from(profiles).where(eq(profiles.id, id));
    if (profile?.deletedAt) return;
    await storeDocument(services, id, {
      documentType: profile?.accountType === "wholesaler" ? "business_license" : "student_id",
      fileName: "card.png",
      kind: "png",
      bytes: new Uint8Array([1]),
    });
  },
  approve: decide(true),
  reject: decide(false),
  rename: async (id, detail) => {
    const [profile] = await db.select().from(profiles).where(eq(profiles.id, id));
    if (profile?.deletedAt) return;
    const values = {
      fullName: `Wanjiku ${"ABCDE"[detail % 5]}`,
      phone: "",
      campusLocation: "Main Campus",
      isSeller: true,
    };
    await completeProfile(services, id, values);
  },
  "forget the sign-up": (id) => write(db, [...forgetSignUp(id, 5), ...afterVerifiedChanged(idList(id), Date.now())]),
  "add a domain": (_id, detail) =>
    addUniversity(services, admin, { domain: DOMAINS[detail % 3] ?? "", name: "A university" }),
  "remove a domain": (_id, detail) => removeUniversity(services, admin, DOMAINS[detail % 3] ?? ""),
  "add a listing": (id) => makeProduct(id),
  "rename the listings": (id, detail) => run("UPDATE products SET name = ? WHERE seller_id = ?", `Pen ${detail}`, id),
  "sell the listings": (id) => run("UPDATE products SET status = 'sold' WHERE seller_id = ?", id),
  "take the listings down": (id, detail) =>
    run("UPDATE products SET suspended_at = ? WHERE seller_id = ?", detail % 2 || null, id),
  "delete the account": (id) => deleteAccount(services, id),
};

const sequence = fc.array(
  fc.record({
    who: fc.nat({ max: 2 }),
    step: fc.constantFrom(
      ...Object.keys(STEPS).filter((name) => name !== "delete the account"),
      "approve",
      "add a listing",
    ),
    detail: fc.nat({ max: 20 }),
  }),
  { minLength: 3, maxLength: 14 },
);

test("after any sequence of changes, each level and each listing's mark is what the rule says", async () => {
  await fc.assert(
    fc.asyncProperty(sequence, async (steps) => {
      const people = [await makeUser(), await makeUser(), await makeWholesaler({ verificationStatus: "pending" })];
      await STEPS["change email"]?.(people[0] ?? "", 1);
      await setAccount(people[1] ?? "", { emailConfirmedAt: null });
      for (const { who, step, detail } of steps) {
        await STEPS[step]?.(people[who] ?? "", detail);
        await expectKept();
      }
      for (const domain of DOMAINS) await removeUniversity(services, admin, domain);
      await expectKept();
      for (const id of people) await deleteAccount(services, id);
      await expectKept();
      await run("DELETE FROM listing_news");
      await run("DELETE FROM products");
      await run("DELETE FROM product_search");
    }),
    { numRuns: 10 },
  );
}, 120_000);

async function levelOf(id: string): Promise<string | undefined> {
  const [profile] = await db.select({ level: profiles.verifiedLevel }).from(profiles).where(eq(profiles.id, id));
  return profile?.level;
}

const NEW_NAME = { fullName: "Nekesa Wafula", campusLocation: "Main Campus" };

test.each<[string, Step]>([
  ["completing the profile", (id) => completeProfile(services, id, { ...NEW_NAME, phone: "", isSeller: true })],
  ["the settings", (id) => changeDetails(services, id, { ...NEW_NAME, phone: null, currentPassword: "" }, () => [])],
])("a new name, by %s, takes the level that the old one had", async (_name, rename) => {
  const student = await makeUser({ name: "Achieng Otieno" });
  await setVerification(student, "approved");
  const listing = await makeProduct(student);
  const isMarked = () => db.$count(products, and(eq(products.id, listing), eq(products.sellerVerified, true)));
  expect([await levelOf(student), await isMarked()]).toEqual(["student", 1]);
  await rename(student, 0);
  expect([await levelOf(student), await isMarked()]).toEqual(["email", 0]);
});

test("a domain covers the addresses at it and below it, and no others", async () => {
  const people = await Promise.all(MAILS.map(() => makeUser()));
  for (const [at, id] of people.entries()) await STEPS["change email"]?.(id, at);
  const wholesaler = await makeWholesaler({ verificationStatus: "pending" });
  await STEPS["change email"]?.(wholesaler, 0);
  expect(await addUniversity(services, admin, { domain: "kilima.ac.ke", name: "Kilima University" })).toEqual({
    ok: true,
  });
  expect(await Promise.all(people.map(levelOf))).toEqual(["student", "student", "email", "email", "email"]);
  expect(await levelOf(wholesaler)).toBe("email");
  expect(await addUniversity(services, admin, { domain: "kilima.ac.ke", name: "Kilima" })).toEqual({
    ok: false,
    code: "listed",
  });
  expect(await addUniversity(services, admin, { domain: "students.kilima.ac.ke", name: "Kilima" })).toEqual({
    ok: false,
    code: "listed",
  });
  expect(await removeUniversity(services, admin, "kilima.ac.ke")).toEqual({ ok: true });
  expect(await Promise.all(people.map(levelOf))).toEqual(["email", "email", "email", "email", "email"]);
});

test("two admins who add or remove the same domain at once: one does, and the audit log says who", async () => {
  const both = async (work: () => Promise<{ ok: boolean }>) =>
    (await Promise.all([work(), work()])).filter(({ ok }) => ok);
  const university = { domain: "mlima.ac.ke", name: "Mlima University" };
  expect(await both(() => addUniversity(services, admin, university))).toHaveLength(1);
  expect(await both(() => removeUniversity(services, admin, university.domain))).toHaveLength(1);
  const { results } = await env.DB.prepare(
    "SELECT actor_id AS actor, action, detail FROM audit_log WHERE subject = 'university:mlima.ac.ke' ORDER BY rowid",
  ).all();
  expect(results).toEqual([
    { actor: admin.id, action: "university_added", detail: "Mlima University" },
    { actor: admin.id, action: "university_removed", detail: null },
  ]);
  await db.update(profiles).set({ adminRole: null }).where(eq(profiles.id, admin.id));
  expect(await addUniversity(services, admin, university)).toEqual({ ok: false, code: "stale" });
  await db.update(profiles).set({ adminRole: "owner" }).where(eq(profiles.id, admin.id));
});

test.each([
  ["gmail.com", "Anybody can get an address at this domain"],
  ["ac.ke", "Many universities share this ending"],
  ["nowhere", "Please enter a domain"],
  ["uonbi.ac.ke", "This domain is on the list already"],
])("an admin who adds %s sees why not", async (domain, text) => {
  const form = { subject: "add:new", intent: "add", id: "new", name: "A university", domain };
  const answer = await visit("/admin/universities", { as: admin.id, form });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain(text);
});

test("badges say what was checked, lead to what it means, and show no name that wasn't checked", async () => {
  const viewer = await makeUser();
  const seller = await makeUser({ name: "Achieng Adhiambo" });
  const productId = await makeProduct(seller);
  await db.update(products).set({ name: "Lab coat" }).where(eq(products.id, productId));
  const pages = async () =>
    Promise.all(
      [`/seller/${seller}`, `/product/${productId}`].map(async (path) => (await visit(path, { as: viewer })).text()),
    );
  for (const page of await pages()) expect(page).not.toContain('href="/verified"');
  await STEPS["change email"]?.(seller, 0);
  await addUniversity(services, admin, { domain: "kilima.ac.ke", name: "Kilima University" });
  await run("INSERT INTO shops (id, shop_name, created_at, updated_at) VALUES (?, 'Coats and more', 1, 1)", seller);
  for (const page of await pages()) {
    expect(page).toMatch(/class="verified"[^>]*>.*?Verified student</);
    expect(page).not.toContain("Verified student: ");
  }
  // On a product's page the whole row of the seller is one link, to their page.
  expect((await pages())[0]).toMatch(/<a class="verified"[^>]* href="\/verified"/);
  await setVerification(seller, "approved");
  const [sellerPage] = await pages();
  expect(sellerPage).toMatch(/Verified student(<!-- -->)?: /);
  await removeUniversity(services, admin, "kilima.ac.ke");
});

test("the page about levels tells visitors what they mean, and members their own and the next step", async () => {
  const visitor = await (await visit("/verified")).text();
  for (const text of ["Email confirmed", "Verified student", "Verified business"]) expect(visitor).toContain(text);
  expect(visitor).not.toContain("Your level");
  const member = await makeUser();
  const own = async () => (await visit("/verified", { as: member })).text();
  expect(await own()).toContain("Your level: Email confirmed");
  expect(await own()).toContain("Upload your student ID to become a verified student.");
  await STEPS["upload a document"]?.(member, 0);
  expect(await own()).toContain("checking your student ID");
  await decide(true)(member, 0);
  expect(await own()).toContain("Your level: Verified student");
  expect(await own()).toContain("This is the highest level for your account.");
});

const DAY = 24 * 60 * 60_000;
const UNTIL = studentUntil(Date.now());
/** The services, so long before or after the end of a proof of today. */
const servicesNear = (ms: number) => servicesAt(UNTIL + ms - Date.now());

async function standing(id: string) {
  const [row] = await db
    .select({ level: profiles.verifiedLevel, until: profiles.studentUntil })
    .from(profiles)
    .where(eq(profiles.id, id));
  const marked = await db.$count(products, and(eq(products.sellerId, id), eq(products.sellerVerified, true)));
  return [row?.level, row?.until, marked];
}

/** How often somebody was told that their proof ends. */
const toldOf = async (id: string) =>
  (await env.DB.prepare("SELECT key FROM notifications WHERE user_id = ? AND kind = 'student_ending'").bind(id).all())
    .results.length;

async function studentByAddress(): Promise<{ id: string; email: string; domain: string }> {
  const domain = `chuo-${crypto.randomUUID().slice(0, 8)}.ac.ke`;
  await addUniversity(services, admin, { domain, name: "A university" });
  const id = await makeUser();
  const email = `${id}@${domain}`;
  await setAccount(id, { email });
  await makeProduct(id);
  return { id, email, domain };
}

test("a student is told once before the end, then the mark goes, and the link to their address brings it back", async () => {
  const { id, email } = await studentByAddress();
  expect(await standing(id)).toEqual(["student", UNTIL, 1]);
  expect(await sendStudentCheck(services, admin.id)).toEqual({ ok: false, code: "none" });

  await endStudents(servicesNear(-STUDENT_TOLD_MS - DAY));
  expect(await toldOf(id)).toBe(0);
  await Promise.all([1, 2].map(() => endStudents(servicesNear(-STUDENT_TOLD_MS))));
  await endStudents(servicesNear(-DAY));
  expect([await toldOf(id), await standing(id)]).toEqual([1, ["student", UNTIL, 1]]);

  await Promise.all([1, 2].map(() => endStudents(servicesNear(0))));
  expect([await toldOf(id), await standing(id)]).toEqual([1, ["email", UNTIL, 0]]);
  // Nothing else of theirs brings it back.
  await completeProfile(servicesNear(DAY), id, { ...NEW_NAME, phone: "", isSeller: true });
  expect(await standing(id)).toEqual(["email", UNTIL, 0]);

  const after = servicesNear(DAY);
  expect(await sendStudentCheck(after, id)).toEqual({ ok: true });
  const link = await env.DB.prepare("SELECT id FROM email_tokens WHERE user_id = ? AND used_at IS NULL")
    .bind(id)
    .first<{ id: string }>();
  const visitor = { signedUp: null, signedIn: id, password: null, switches: false, address: null, device: null };
  const token = emailTokenOf(env.PASSWORD_PEPPER, link?.id ?? "");
  expect(await confirmEmail(after, token, visitor)).toMatchObject({ ok: true, userId: id });
  expect(await standing(id)).toEqual(["student", studentUntil(UNTIL + DAY), 1]);
  const { results: mails } = await env.DB.prepare("SELECT payload FROM outbox WHERE instr(payload, ?) > 0")
    .bind(email)
    .all<{ payload: string }>();
  const templates = mails.map(({ payload }) => (JSON.parse(payload) as { template: string }).template);
  expect(templates.toSorted()).toEqual(["student_check", "student_ending"]);
  // The next end is told anew.
  await endStudents(servicesAt(studentUntil(UNTIL + DAY) - DAY - Date.now()));
  expect(await toldOf(id)).toBe(2);
  await setAccount(id, {});
});

test("an approved ID ends, too, and the approval of a new one brings the mark back", async () => {
  const id = await makeUser();
  await STEPS["upload a document"]?.(id, 0);
  await decide(true)(id, 0);
  expect(await standing(id)).toEqual(["student", UNTIL, 0]);
  await endStudents(servicesNear(0));
  expect(await standing(id)).toEqual(["email", UNTIL, 0]);
  const later = servicesNear(DAY);
  await storeDocument(later, id, {
    documentType: "student_id",
    fileName: "card.png",
    kind: "png",
    bytes: new Uint8Array([1]),
  });
  const pending = await env.DB.prepare(
    "SELECT id FROM verification_documents WHERE user_id = ? AND verification_status = 'pending'",
  )
    .bind(id)
    .first<{ id: string }>();
  expect(await decideVerification(later, admin, pending?.id ?? "", { approve: true })).toBe(true);
  expect(await standing(id)).toEqual(["student", studentUntil(UNTIL + DAY), 0]);
});

test("a login by the university is a new proof, and one by Google is none", async () => {
  const { id, email, domain } = await studentByAddress();
  const identity = { subject: id, email, emailVerified: true, name: "Achieng Otieno" };
  const later = servicesNear(-DAY);
  expect(await signInWithIssuer(later, GOOGLE, identity)).toMatchObject({ ok: true });
  expect(await standing(id)).toEqual(["student", UNTIL, 1]);
  const university = { ...GOOGLE, key: domain, domain };
  for (const at of [-DAY, 0]) {
    expect(await signInWithIssuer(servicesNear(at), university, identity)).toMatchObject({ ok: true, userId: id });
    expect(await standing(id)).toEqual(["student", studentUntil(UNTIL - DAY), 1]);
  }
});

test("students of before get an end that leaves them time, and a wholesaler has none", async () => {
  const { id } = await studentByAddress();
  const wholesaler = await makeWholesaler({ verificationStatus: "approved" });
  await run("UPDATE profiles SET student_until = NULL WHERE id = ?", id);
  const upgraded = servicesNear(-DAY);
  await endStudents(upgraded);
  expect(await standing(id)).toEqual(["student", studentUntil(UNTIL - DAY), 1]);
  await endStudents(servicesNear(0));
  expect(await standing(wholesaler)).toEqual(["business", null, 0]);
});

test("settings say until when, ask again near the end, and others see the mark alone", async () => {
  const { id, email } = await studentByAddress();
  const page = async (path: string, as: string | null) => (await visit(path, { as })).text();
  const documents = "/profile?tab=settings&section=documents";
  const month = new Intl.DateTimeFormat("en", { month: "long", year: "numeric" }).format(UNTIL - DAY);
  expect(await page(documents, id)).toContain(`Verified student until ${month}`);
  expect(await page(documents, id)).not.toContain("Send a Link to");
  expect(await page("/verified", id)).toContain(`Your level: Verified student until ${month}`);
  expect(await page(`/seller/${id}`, admin.id)).not.toContain(`until ${month}`);
  await run("UPDATE profiles SET student_until = ? WHERE id = ?", Date.now() + DAY, id);
  expect(await page(documents, id)).toContain(`Send a Link to ${email}`);
  const asked = await visit("/settings", { as: id, form: { intent: "student-link" } });
  expect(asked.status).toBe(302);
  await run("UPDATE profiles SET student_until = ? WHERE id = ?", Date.now() - 40 * DAY, id);
  await setAccount(id, {});
  expect(await page("/verified", id)).toContain("You were a verified student until");
});
