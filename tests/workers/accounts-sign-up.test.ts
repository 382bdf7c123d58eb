import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { checkDocument } from "#app/accounts/trust/documents.server.ts";
import { CODE_ERROR, EMAIL_TAKEN_ERROR } from "#app/accounts/login/sign-up-rules.ts";
import { signUp } from "#app/accounts/login/sign-up.server.ts";
import {
  credentials,
  profiles,
  uploads,
  verificationDocuments,
  wholesalerCodes,
  wholesalerDetails,
} from "#app/accounts/tables.server.ts";
import { readFileForm, readForm } from "#app/request/form-data.server.ts";
import { readRow } from "#tests/support/accounts.ts";
import { db, servicesAt } from "#tests/support/fixtures.ts";
import {
  mailTo,
  makeCode,
  pdf,
  signUpAs,
  signUpStudent,
  studentForm,
  uniqueEmail,
  wholesalerForm,
} from "#tests/support/sign-up.ts";

// Hashing passwords is slow on purpose.
vi.setConfig({ testTimeout: 90_000 });

async function accountsOf(email: string) {
  return db.select().from(credentials).where(eq(credentials.email, email));
}

test("a student's account, profile and mail come of one form, with the campus of the list", async () => {
  const { userId, email } = await signUpStudent({ email: ` ${uniqueEmail("Njeri")} `.toUpperCase() });
  expect(email).toBe(email.trim().toLowerCase());
  const [profile] = await db.select().from(profiles).where(eq(profiles.id, userId));
  expect(profile).toMatchObject({
    fullName: "Wanjiku Otieno",
    email,
    phone: "254712345678",
    campusLocation: "Main Campus",
    campusLocationId: 1,
    accountType: "student",
    isSeller: false,
    verificationStatus: "pending",
    onboardingCompleted: false,
  });
  const account = await readRow("credentials", userId);
  expect(account.email_confirmed_at).toBeNull();
  expect(account.password_hash).toMatch(/^scrypt\$/);
  expect(JSON.parse(String(account.metadata))).toMatchObject({
    full_name: "Wanjiku Otieno",
    campus_location: "Main Campus",
    campus_location_id: 1,
    account_type: "student",
  });
  expect(await mailTo(email)).toMatchObject([
    { subject: expect.stringContaining("Confirm"), links: [expect.stringContaining("/auth/callback?token=")] },
  ]);
});

test("a campus that is not on the list is kept as typed", async () => {
  const { userId } = await signUpStudent({ campusLocation: "Juja  Town" });
  expect(await readRow("profiles", userId)).toMatchObject({ campus_location: "Juja Town", campus_location_id: null });
});

test("a wholesaler's business, code and document belong to the account, and wait for approval", async () => {
  const code = await makeCode();
  const result = await signUpAs(
    wholesalerForm({ wholesalerCode: ` ${code.toLowerCase()} `, taxId: "P051234567X" }),
    pdf("../../etc/passwd\u202efdp.pdf"),
  );
  if (!result.ok) throw new Error("refused");
  expect(result.warnings).toEqual([]);
  const [profile] = await db.select().from(profiles).where(eq(profiles.id, result.userId));
  expect(profile).toMatchObject({ accountType: "wholesaler", isSeller: true, verificationStatus: "pending" });
  const [details] = await db.select().from(wholesalerDetails).where(eq(wholesalerDetails.userId, result.userId));
  expect(details).toMatchObject({
    businessName: "Otieno Traders",
    taxId: "P051234567X",
    businessLicenseNumber: null,
    verificationStatus: "pending",
  });
  const [used] = await db.select().from(wholesalerCodes).where(eq(wholesalerCodes.code, code));
  expect(used).toMatchObject({ isUsed: true, usedBy: result.email, usedAt: expect.any(Number) });

  const [document] = await db
    .select()
    .from(verificationDocuments)
    .where(eq(verificationDocuments.userId, result.userId));
  expect(document).toMatchObject({
    documentType: "business_license",
    verificationStatus: "pending",
    contentType: "application/pdf",
    fileName: "passwdfdp.pdf",
  });
  expect(document?.documentUrl).toMatch(
    new RegExp(`^verification-documents/${result.userId}/\\d{13}-[0-9a-f]{8}\\.pdf$`),
  );
  const stored = await env.DOCUMENTS.get(document?.documentUrl ?? "");
  expect(stored?.httpMetadata?.contentType).toBe("application/pdf");
  await stored?.arrayBuffer();
  expect(await env.MEDIA.head(document?.documentUrl ?? "")).toBeNull();
});

test.each(["campus 42", "CAMP-US42", " ᴄᴀᴍᴘᴜꜱ４２", "САМРUS42.", "c\u200bampus42"])(
  "the access code CAMPUS42 counts as it is typed in %j",
  async (typed) => {
    await db.delete(wholesalerCodes).where(eq(wholesalerCodes.code, "CAMPUS42"));
    await db.insert(wholesalerCodes).values({ id: crypto.randomUUID(), code: "CAMPUS42", createdAt: 1 });
    expect(await signUpAs(wholesalerForm({ wholesalerCode: typed }), pdf())).toMatchObject({ ok: true });
  },
);

test("of twenty people with one code, one gets an account", async () => {
  const code = await makeCode();
  const forms = Array.from({ length: 20 }, () => wholesalerForm({ wholesalerCode: code }));
  const results = await Promise.all(forms.map((form) => signUpAs(form, pdf())));
  expect(results.filter((result) => result.ok)).toHaveLength(1);
  for (const result of results)
    if (!result.ok) expect(result).toEqual({ ok: false, code: "invalid", errors: { wholesalerCode: CODE_ERROR } });
  const made = await Promise.all(forms.map((form) => accountsOf(form.email)));
  expect(made.flat()).toHaveLength(1);
  const [used] = await db.select().from(wholesalerCodes).where(eq(wholesalerCodes.code, code));
  expect(used?.usedBy).toBe(made.flat()[0]?.email);
});

test("of five sign-ups with one address at once, one gets the account, and the others read that it is registered", async () => {
  const form = studentForm();
  const results = await Promise.all(Array.from({ length: 5 }, () => signUpAs(form)));
  expect(results.filter((result) => result.ok)).toHaveLength(1);
  expect(results.filter((result) => !result.ok)).toEqual(
    Array.from({ length: 4 }, () => ({ ok: false, code: "invalid", errors: { email: EMAIL_TAKEN_ERROR } })),
  );
  expect(await accountsOf(form.email)).toHaveLength(1);
});

test("a refused wholesaler leaves the code unused", async () => {
  const code = await makeCode();
  const { email } = await signUpStudent();
  expect(await signUpAs(wholesalerForm({ email, wholesalerCode: code }), pdf())).toMatchObject({
    errors: { email: EMAIL_TAKEN_ERROR },
  });
  expect(await signUpAs(wholesalerForm({ wholesalerCode: code }))).toMatchObject({
    errors: { document: "Business verification document is required" },
  });
  const [unused] = await db.select().from(wholesalerCodes).where(eq(wholesalerCodes.code, code));
  expect(unused).toMatchObject({ isUsed: false, usedBy: null });
});

test("a wholesaler whose answer was lost reads that the email is registered, and nobody else does by that code", async () => {
  const code = await makeCode();
  const form = wholesalerForm({ wholesalerCode: code });
  const results = await Promise.all([signUpAs(form, pdf()), signUpAs(form, pdf())]);
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  const registered = { ok: false, code: "invalid", errors: { email: EMAIL_TAKEN_ERROR } };
  expect(results).toContainEqual(registered);
  expect(await signUpAs(form, pdf())).toEqual(registered);
  const { email } = await signUpStudent();
  for (const other of [email, wholesalerForm().email])
    expect(await signUpAs({ ...form, email: other }, pdf())).toMatchObject({ errors: { wholesalerCode: CODE_ERROR } });
});

test("unknown codes are refused, and a student's form spends none", async () => {
  expect(await signUpAs(wholesalerForm({ wholesalerCode: "NOSUCH01" }), pdf())).toMatchObject({
    errors: { wholesalerCode: CODE_ERROR },
  });
  const code = await makeCode();
  await signUpStudent({ wholesalerCode: code, businessName: "Sneaky" });
  const [unused] = await db.select().from(wholesalerCodes).where(eq(wholesalerCodes.code, code));
  expect(unused?.isUsed).toBe(false);
});

const text = (words: string) => new TextEncoder().encode(words);
const OLE = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const ZIP = new Uint8Array([0x50, 0x4b, 0x03, 0x04]);
const wide = (words: string) => new Uint8Array([...words].flatMap((letter) => [letter.charCodeAt(0), 0]));
const PICTURE_OR_PDF = "Please choose a picture (JPG, PNG, WebP, GIF) or a PDF";

test.each<[string, File, string]>([
  ["a program named like a picture", new File([text("MZ\u0090")], "id.jpg", { type: "image/jpeg" }), PICTURE_OR_PDF],
  [
    "a page named like a PDF",
    new File([text("<html><script>alert(1)</script>")], "id.pdf", { type: "application/pdf" }),
    PICTURE_OR_PDF,
  ],
  [
    "a drawing that may hold scripts",
    new File([text("<svg xmlns='http://www.w3.org/2000/svg'/>")], "id.svg", { type: "image/svg+xml" }),
    PICTURE_OR_PDF,
  ],
  ["a Word file from a student", new File([OLE, wide("WordDocument")], "id.doc"), PICTURE_OR_PDF],
  ["eleven megabytes", pdf("id.pdf", 11 * 1024 * 1024), "The file is larger than 10 MB"],
  ["nothing at all", new File([], "id.pdf"), "The file is empty"],
  [
    "half a picture",
    new File([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16])], "id.jpg"),
    "We couldn't read the picture. Please choose another file",
  ],
])("%s is refused beside the field, and no account is made", async (_what, file, error) => {
  const form = studentForm();
  expect(await signUpAs(form, file)).toEqual({ ok: false, code: "invalid", errors: { document: error } });
  expect(await accountsOf(form.email)).toEqual([]);
});

test.each<[string, File, boolean]>([
  ["an old Word file", new File([OLE, wide("WordDocument")], "paper.doc"), true],
  ["a Word file", new File([ZIP, text("[Content_Types].xml word/document.xml")], "paper.docx"), true],
  [
    "a Word file with macros",
    new File([ZIP, text("[Content_Types].xml word/document.xml word/vbaProject.bin")], "paper.docx"),
    false,
  ],
  ["any other archive", new File([ZIP, text("run.exe")], "paper.docx"), false],
  ["an installer", new File([OLE, wide("Binary")], "paper.doc"), false],
])("of a wholesaler, %s is taken: %#", async (_what, file, taken) => {
  expect((await checkDocument(file, "business_license")).ok).toBe(taken);
});

test("a document that cannot be stored leaves the account, with a warning", async () => {
  const broken = { put: () => Promise.reject(new Error("R2 is away")) };
  const services = Object.assign(Object.create(servicesAt()) as ReturnType<typeof servicesAt>, { documents: broken });
  const result = await signUp(services, { values: studentForm(), document: pdf(), address: null });
  expect(result).toMatchObject({ ok: true, warnings: ["document"] });
  if (!result.ok) return;
  expect(await db.select().from(verificationDocuments).where(eq(verificationDocuments.userId, result.userId))).toEqual(
    [],
  );
  const [orphan] = await db.select().from(uploads).where(eq(uploads.ownerId, result.userId));
  expect(orphan?.attachedAt).toBeNull();
});

test("a mail that does not leave is a warning, and stays queued", async () => {
  const services = Object.assign(Object.create(servicesAt()) as ReturnType<typeof servicesAt>, {
    sendMailNow: async () => false,
  });
  const result = await signUp(services, { values: studentForm(), document: null, address: null });
  expect(result).toMatchObject({ ok: true, warnings: ["mail"] });
  const waiting = await env.DB.prepare("SELECT COUNT(*) AS n FROM outbox WHERE done_at IS NULL AND instr(payload, ?)")
    .bind(result.ok ? result.email : "?")
    .first("n");
  expect(waiting).toBe(1);
});

test("a network that asks about many registered emails gets no more answers, and others aren't affected", async () => {
  const { email } = await signUpStudent();
  const address = "198.51.100.7";
  for (let n = 0; n < 9; n += 1)
    expect(await signUpAs(studentForm({ email }), null, address)).toMatchObject({
      errors: { email: EMAIL_TAKEN_ERROR },
    });
  for (let n = 0; n < 31; n += 1) await signUpAs(wholesalerForm({ wholesalerCode: `GUESS${n}` }), pdf(), address);
  expect(await signUpAs(studentForm(), null, address)).toEqual({ ok: false, code: "busy" });
  expect(await signUpAs(studentForm(), null, "198.51.100.8")).toMatchObject({ ok: true });
});

function post(body: BodyInit, headers: Record<string, string> = {}): Request {
  return new Request("http://localhost/auth/signup", { method: "POST", body, headers });
}

test("a form larger than allowed is given up, whatever its header says", async () => {
  const form = new FormData();
  form.set("document", pdf("id.pdf", 300_000));
  expect(await readForm(post(form), 200_000)).toEqual({ ok: false, code: "too_large" });
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      controller.enqueue(new Uint8Array(65_536));
    },
  });
  expect(await readForm(post(endless, { "Content-Type": "multipart/form-data; boundary=x" }), 200_000)).toEqual({
    ok: false,
    code: "too_large",
  });
  expect(sent).toBeLessThan(20);
  expect(await readForm(post("{}", { "Content-Type": "application/json" }), 200_000)).toEqual({
    ok: false,
    code: "unreadable",
  });
});

test.each([readForm, readFileForm])("a form is read whole, with its file", async (reader) => {
  const form = new FormData();
  form.set("fullName", "Wanjiku");
  form.set("document", pdf("id.pdf", 5_000));
  const read = await reader(post(form), 200_000);
  expect(read.ok && read.form.get("fullName")).toBe("Wanjiku");
  expect(read.ok && read.form.get("document")).toMatchObject({ name: "id.pdf", size: 5_009 });
});

test("a form with a file that is larger than allowed is cut to its fields, up to 64 MB", async () => {
  const form = new FormData();
  form.set("fullName", "Wanjiku");
  form.set("document", pdf("id.pdf", 1_500_000));
  form.set("phone", "0712345678");
  const read = await readFileForm(post(form), 200_000);
  expect(read.ok && { ...read, form: [...read.form] }).toEqual({
    ok: true,
    isCut: true,
    form: [
      ["fullName", "Wanjiku"],
      ["phone", "0712345678"],
    ],
  });
  const endless = new ReadableStream<Uint8Array>({ pull: (to) => to.enqueue(new Uint8Array(1_000_000)) });
  for (const body of [endless, new Uint8Array(300_000)])
    expect(await readFileForm(post(body, { "Content-Type": "multipart/form-data; boundary=x" }), 200_000)).toEqual({
      ok: false,
      code: "too_large",
    });
});

test("a file is looked at only after the try was counted; forms with nothing but wrong words cost none", async () => {
  const values = studentForm({ fullName: "" });
  for (let n = 0; n < 12; n += 1) expect(await signUpAs(values)).toMatchObject({ code: "invalid" });
  const file = () => new File(["not a document"], "id.pdf");
  for (let n = 0; n < 10; n += 1)
    expect(await signUpAs(values, file())).toMatchObject({
      code: "invalid",
      errors: { fullName: expect.any(String), document: expect.any(String) },
    });
  expect(await signUpAs(values, file())).toEqual({ ok: false, code: "busy" });
});

test("a common password makes no account", async () => {
  const email = uniqueEmail("common");
  const result = await signUpAs({ ...studentForm(), email, password: "letmein" });
  expect(result).toEqual({
    ok: false,
    code: "invalid",
    errors: { password: "This password is too common and easy to guess. Please choose another." },
  });
  expect(await accountsOf(email)).toEqual([]);
});
