/** Forms with files, sent as a program would to the sign-up page's action, and read back by their storage key. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { credentials, verificationDocuments } from "#app/accounts/tables.server.ts";
import { db, makeUser, makeWholesaler } from "#tests/support/fixtures.ts";
import { pdf, uniqueEmail } from "#tests/support/sign-up.ts";
import { visit } from "#tests/support/visit.ts";

const MB = 1024 * 1024;
const PICTURE_OR_PDF = "Please choose a picture (JPG, PNG, WebP, GIF) or a PDF";

/** Submits the student's form with a file, from its own network address. */
async function sendForm(file: File, change: Record<string, string> = {}) {
  const email = uniqueEmail("upload");
  const form = new FormData();
  const fields = {
    accountType: "student",
    fullName: "Wanjiku Otieno",
    email,
    password: "kilimani-7",
    phone: "0712345678",
    campusLocation: "Main Campus",
    ...change,
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("document", file);
  const answer = await visit("/auth/signup", { form });
  const [account] = await db.select({ id: credentials.id }).from(credentials).where(eq(credentials.email, email));
  return { status: answer.status, html: await answer.text(), userId: account?.id ?? null };
}

test.each<[string, File, Record<string, string>, number, string]>([
  [
    "a page called a PDF",
    new File(["<script>alert(1)</script>"], "id.pdf", { type: "application/pdf" }),
    {},
    400,
    PICTURE_OR_PDF,
  ],
  ["a program called a picture", new File(["MZ\u0090\0"], "id.png", { type: "image/png" }), {}, 400, PICTURE_OR_PDF],
  ["11 MB", pdf("id.pdf", 11 * MB), {}, 400, "The file is larger than 10 MB"],
  ["20 MB", pdf("id.pdf", 20 * MB), {}, 413, "The file is larger than 10 MB"],
  ["a name of 2 MB", pdf(), { fullName: "W".repeat(2 * MB) }, 400, "Please use at most 100 characters"],
])("%s is refused on the form, and makes no account", async (_what, file, change, status, said) => {
  const answer = await sendForm(file, change);
  expect(answer).toMatchObject({ status, userId: null });
  expect(answer.html).toContain(said);
  if (status === 413) expect(answer.html).toContain('value="Wanjiku Otieno"');
});

test("a form with files of more than a megabyte is read only by screens that take files", async () => {
  const form = new FormData();
  form.set("document", pdf("id.pdf", 2 * MB));
  const answers = await Promise.all(["/cart", "/auth", "/settings/elsewhere"].map((path) => visit(path, { form })));
  expect(answers.map(({ status }) => status)).toEqual([413, 413, 413]);
});

test("a picture of a million empty parts is refused instead of looked through", async () => {
  const part = [0xff, 0xdb, 0, 2];
  const bytes = new Uint8Array(4 * MB).map((_, at) => (at < 2 ? [0xff, 0xd8] : part)[at < 2 ? at : (at - 2) % 4] ?? 0);
  const answer = await sendForm(new File([bytes], "id.jpg", { type: "image/jpeg" }));
  expect(answer).toMatchObject({ status: 400, userId: null });
  expect(answer.html).toContain("We couldn't read the picture. Please choose another file");
});

test("a sign-up form that cannot be read is answered on its screen", async () => {
  const answer = await visit("/auth/signup", {
    body: "--y\r\nnonsense",
    headers: { "Content-Type": "multipart/form-data; boundary=x" },
  });
  expect(answer.status).toBe(422);
  expect(await answer.text()).toContain("Invalid email or password format");
});

test.each([
  ["application/json", "{}", 415],
  ["text/plain", "x", 415],
] as const)("a body of %s that is no form is refused at the door", async (type, body, status) => {
  const answer = await visit("/auth/signup", { body, headers: { "Content-Type": type } });
  expect(answer.status).toBe(status);
  expect(await answer.text()).toBe("This form cannot be read");
});

test("a path in a file's name leads nowhere: the file is given back by its plain name, as a download", async () => {
  const bytes = new TextEncoder().encode("%PDF-1.7 id");
  const { status, userId } = await sendForm(
    new File([bytes], "../../../files/img/..\\secret\u202efdp.pdf", { type: "application/pdf" }),
  );
  expect(status).toBe(302);
  const [document] = await db
    .select()
    .from(verificationDocuments)
    .where(eq(verificationDocuments.userId, userId ?? ""));
  const answer = await visit(`/documents/${document?.id}`, { as: userId });
  expect(answer.status).toBe(200);
  const disposition = answer.headers.get("Content-Disposition");
  expect(disposition).toMatch(/^attachment; filename="[\w .-]+\.pdf"; filename\*=UTF-8''[\w.%-]+\.pdf$/);
  expect(disposition).not.toMatch(/\.\.|\/|%2F|%5C|%E2%80%AE/i);
  expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
});

test("an account is verified by its own kind of document, whatever the form says", async () => {
  const wholesaler = await makeWholesaler({ verificationStatus: "pending" });
  const form = new FormData();
  for (const [name, value] of Object.entries({ intent: "document", documentType: "student_id" })) form.set(name, value);
  form.set("document", pdf());
  expect((await visit("/settings", { as: wholesaler, form })).status).toBe(302);
  expect(
    await db.select().from(verificationDocuments).where(eq(verificationDocuments.userId, wholesaler)),
  ).toMatchObject([{ documentType: "business_license" }]);
});

test("an account sends ten documents a day, good or not, and more on the next", async () => {
  const user = await makeUser();
  const send = async (file: File, daysAhead = "0") => {
    const form = new FormData();
    form.set("intent", "document");
    form.set("document", file);
    const answer = await visit("/settings", { as: user, form, headers: { "X-Days-Ahead": daysAhead } });
    return { status: answer.status, html: await answer.text() };
  };
  expect((await send(pdf())).status).toBe(302);
  for (let n = 1; n < 10; n += 1) expect((await send(new File(["x"], "id.pdf"))).status).toBe(400);
  const refused = await send(pdf());
  expect(refused.status).toBe(429);
  expect(refused.html).toContain("You've uploaded too many documents today. Please try again tomorrow.");
  expect(await db.select().from(verificationDocuments).where(eq(verificationDocuments.userId, user))).toHaveLength(1);
  expect((await send(pdf(), "2")).status).toBe(302);
});
