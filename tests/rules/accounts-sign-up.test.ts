import fc from "fast-check";
import sharp from "sharp";
import { expect, test, vi } from "vitest";
import { noteArrival } from "#app/accounts/login/arrival-flags.ts";
import { withoutMetadata } from "#app/platform/picture-privacy.ts";
import { readDocumentField, readSignUpForm } from "#app/accounts/login/sign-up-fields.ts";
import { checkSignUp } from "#app/accounts/login/sign-up-checks.ts";
import { type SignUpErrors, signUpFailure, type SignUpValues } from "#app/accounts/login/sign-up-rules.ts";
import { cleanFileName, FILE_KINDS, type FileKind, sizeInMb, sniffFile } from "#app/platform/upload-rules.ts";
import {
  FLAG_LOGGED_IN_BEFORE,
  FLAG_NEW_USER,
  FLAG_TUTORIAL_COMPLETED,
  NEW_USER_WAITS,
} from "#app/ui/browser/browser-flags.ts";

vi.setConfig({ testTimeout: 30_000 });

/** Characters that have broken text readers before. */
const unusualText = (maxLength: number) =>
  fc.string({
    unit: fc.constantFrom(
      "a",
      "Z",
      "7",
      " ",
      "\0",
      "\n",
      "\u202e",
      "\ud800",
      "é",
      "😀",
      "@",
      ".",
      "/",
      "\\",
      '"',
      "<",
      ":",
    ),
    maxLength,
  });

function form(change: Partial<SignUpValues>): SignUpValues {
  const data = new FormData();
  const filled = {
    accountType: "student",
    fullName: "Wanjiku",
    email: "w@campus.test",
    password: "secret",
    campusLocation: "Main Campus",
    ...change,
  };
  for (const [name, value] of Object.entries(filled)) data.set(name, value);
  return readSignUpForm(data);
}

test.each<[Partial<SignUpValues>, SignUpErrors]>([
  [{}, {}],
  [{ fullName: "   " }, { fullName: "Full name is required" }],
  [{ email: "" }, { email: "Email is required" }],
  [{ email: "w@campus" }, { email: "Email address is invalid" }],
  [{ email: "w campus@x.y" }, { email: "Email address is invalid" }],
  [{ email: "w@x.y<script>" }, { email: "Email address is invalid" }],
  // A mail server could deliver these to mine.com, although they end at a university.
  [{ email: "w@mine.com,x.uonbi.ac.ke" }, { email: "Email address is invalid" }],
  [{ email: "w@mine.com;x.uonbi.ac.ke" }, { email: "Email address is invalid" }],
  [{ email: "w@mine.com(x.uonbi.ac.ke" }, { email: "Email address is invalid" }],
  [{ email: "w@mine.com:25.uonbi.ac.ke" }, { email: "Email address is invalid" }],
  [{ email: "w@mine.com\\.uonbi.ac.ke" }, { email: "Email address is invalid" }],
  [{ email: "w@mine.com/.uonbi.ac.ke" }, { email: "Email address is invalid" }],
  [{ email: "w@[1.2.3.4].uonbi.ac.ke" }, { email: "Email address is invalid" }],
  [{ email: "o'brien+chuoni%25@students.uonbi.ac.ke" }, {}],
  [{ email: "wanjikũ@chuo-kikuu.bücher.ke" }, {}],
  [{ email: `${"a".repeat(250)}@x.yz` }, { email: "Email address is invalid" }],
  [{ password: "" }, { password: "Password is required" }],
  [{ password: "12345" }, { password: "Password must be at least 6 characters" }],
  [{ password: "x".repeat(201) }, { password: "Password must be at most 200 characters" }],
  [{ password: "      " }, {}],
  [{ campusLocation: "" }, { campusLocation: "Campus location is required" }],
  [
    { campusLocation: "Main Campus ✔ Verified by Chuoni" },
    { campusLocation: "Names can't contain check marks or hidden characters" },
  ],
  [{ campusLocation: "Chuoni Support" }, { campusLocation: "This name is reserved. Please choose another." }],
  [{ phone: "12" }, { phone: "Invalid phone number format. Use format: 07XXXXXXXX or 254XXXXXXXXX" }],
  [{ phone: "+254 712-345 678" }, {}],
  [{ fullName: "x".repeat(101) }, { fullName: "Please use at most 100 characters" }],
])("a student's form with %j has the errors %j", (change, errors) => {
  expect(checkSignUp(form(change), false)).toEqual(errors);
});

const WHOLESALER = {
  accountType: "wholesaler",
  campusLocation: "",
  businessName: "Otieno Traders",
  wholesalerCode: "CAMPUS23",
} as const;

test.each<[Partial<SignUpValues>, boolean, SignUpErrors]>([
  [{}, true, {}],
  [{}, false, { document: "Business verification document is required" }],
  [{ businessName: "" }, true, { businessName: "Business name is required" }],
  [{ wholesalerCode: " " }, true, { wholesalerCode: "Wholesaler access code is required" }],
  [{ businessEmail: "nope" }, true, { businessEmail: "Email address is invalid" }],
  [{ businessWebsite: "javascript:alert(1)" }, true, { businessWebsite: "Website address is invalid" }],
  [{ businessWebsite: "https://otieno.co.ke/shop" }, true, {}],
])("a wholesaler's form with %j, document %j, has the errors %j", (change, document, errors) => {
  expect(checkSignUp(form({ ...WHOLESALER, ...change }), document)).toEqual(errors);
});

test("any form is read into texts, whatever is in it", () => {
  const entries = fc.array(
    fc.tuple(
      fc.constantFrom("fullName", "email", "password", "accountType", "document", "__proto__", "x"),
      unusualText(40),
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(entries, (pairs) => {
      const data = new FormData();
      for (const [name, value] of pairs) data.append(name, value);
      data.append("fullName", new File(["x"], "name.txt"));
      const values = readSignUpForm(data);
      for (const value of Object.values(values)) expect(value).toBeTypeOf("string");
      expect(values.fullName).not.toMatch(/[^\P{Cc}\n]/u);
      expect(readDocumentField(data)).toBeNull();
      checkSignUp(values, false);
    }),
  );
});

test("a file's shown name holds no path, keeps to its length, and ends as what the file is", () => {
  fc.assert(
    fc.property(unusualText(300), fc.constantFrom<FileKind>("jpeg", "png", "pdf", "docx"), (name, kind) => {
      const clean = cleanFileName(name, kind);
      expect(clean).not.toMatch(/[/\\"<>|?*:\p{Cc}\p{Cf}]/u);
      expect([...clean].length).toBeLessThanOrEqual(100);
      expect(clean).not.toMatch(/^\./);
      expect(
        clean.endsWith(`.${FILE_KINDS[kind].extension}`) ||
          /\.jpeg$/i.test(clean) ||
          clean.toLowerCase().endsWith(`.${FILE_KINDS[kind].extension}`),
      ).toBe(true);
    }),
  );
  expect(cleanFileName("../../etc/passwd", "pdf")).toBe("passwd.pdf");
  expect(cleanFileName("C:\\ID.JPEG", "jpeg")).toBe("ID.jpeg");
  expect(cleanFileName("photo.pdf.exe", "pdf")).toBe("photo.pdf.exe.pdf");
  expect(cleanFileName("\u202e\n", "png")).toBe("document.png");
});

test("sizes read in megabytes", () => {
  expect([1, 440_000, 10 * 1024 * 1024].map(sizeInMb)).toEqual(["0.01 MB", "0.42 MB", "10.00 MB"]);
});

const GPS = { IFD0: { Copyright: "SECRET-OWNER" }, IFD3: { GPSLatitudeRef: "S", GPSLatitude: "1/1 17/1 0/1" } };

async function picture(format: "jpeg" | "png" | "webp"): Promise<Uint8Array> {
  const drawn = sharp({ create: { width: 48, height: 32, channels: 3, background: "#e7c65f" } });
  return new Uint8Array(await drawn.withMetadata({ orientation: 6, exif: GPS })[format]().toBuffer());
}

test.each(["jpeg", "png", "webp"] as const)(
  "a %s loses what it tells of place and owner, and stays the same picture",
  async (format) => {
    const original = await picture(format);
    expect(sniffFile(original)).toBe(format);
    expect(Buffer.from(original).includes("SECRET-OWNER")).toBe(true);
    const clean = withoutMetadata(format, new Uint8Array([...original, ...Buffer.from("SECRET-TAIL")]));
    if (!clean) throw new Error("the picture was refused");
    for (const secret of ["SECRET", "GPS"]) expect(Buffer.from(clean).includes(secret)).toBe(false);
    const [before, after] = await Promise.all([original, clean].map((bytes) => sharp(bytes).raw().toBuffer()));
    expect(after?.equals(before ?? Buffer.alloc(0))).toBe(true);
    expect((await sharp(clean).metadata()).orientation).toBe(6);
    expect((await sharp(original).metadata()).orientation).toBe(6);
  },
);

/** A GIF with a comment, and what a program says of it. */
async function gifWithWords(): Promise<Uint8Array> {
  const bytes = Buffer.from(await (await moving()).toBuffer());
  const at = 13 + 3 * 2 ** (((bytes[10] ?? 0) & 7) + 1);
  const words = Buffer.from("SECRET-PLACE");
  const comment = [0x21, 0xfe, words.length, ...words, 0];
  const xmp = [0x21, 0xff, 11, ...Buffer.from("XMP DataXMP"), words.length, ...words, 0];
  return new Uint8Array([...bytes.subarray(0, at), ...comment, ...xmp, ...bytes.subarray(at), ...words]);
}

function moving() {
  const frame = (background: string) =>
    sharp({ create: { width: 24, height: 16, channels: 3, background } })
      .gif()
      .toBuffer();
  return Promise.all(["#e7c65f", "#224466"].map(frame)).then((frames) =>
    sharp(frames, { join: { animated: true } }).gif({ loop: 3, delay: [80, 120] }),
  );
}

test("a GIF loses what was written into it, and still moves as it did", async () => {
  const original = await gifWithWords();
  const clean = withoutMetadata("gif", original) ?? new Uint8Array();
  expect(Buffer.from(clean).includes("SECRET")).toBe(false);
  const { pages, loop, delay } = await sharp(clean, { animated: true }).metadata();
  expect({ pages, loop, delay }).toEqual({ pages: 2, loop: 3, delay: [80, 120] });
  const [before, after] = await Promise.all(
    [original, clean].map((bytes) => sharp(bytes, { animated: true }).raw().toBuffer()),
  );
  expect(after?.equals(before ?? Buffer.alloc(0))).toBe(true);
  expect(withoutMetadata("gif", clean)).toEqual(clean);
  for (let length = 0; length < clean.length; length += 1)
    expect(withoutMetadata("gif", clean.subarray(0, length))).toBeNull();
  expect(withoutMetadata("gif", new TextEncoder().encode("GIF89a<script>alert(1)</script>"))).toBeNull();
});

test("pictures cut off anywhere, or changed anywhere, are refused or cleaned, and never break", async () => {
  for (const format of ["jpeg", "png", "webp"] as const) {
    const whole = await picture(format);
    for (let length = 0; length < whole.length - 2; length += 1)
      expect(withoutMetadata(format, whole.slice(0, length))).toBeNull();
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
        const changed = whole.slice();
        changed[at] = byte;
        withoutMetadata(format, changed);
      }),
    );
  }
});

function memory(start: Record<string, string> = {}) {
  const kept = new Map(Object.entries(start));
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    kept,
  };
}

test("a sign-up whose answer isn't ours says what its status means", () => {
  expect([422, 429, 500, 522, 503, undefined].map(signUpFailure)).toEqual([
    "Invalid email or password format",
    "Too many requests. Please try again later.",
    "Server error. Please try again later.",
    "Server error. Please try again later.",
    "Failed to create account",
    "Failed to create account",
  ]);
});

test("an arrival sets the flags that the tour reads", () => {
  const done = { [FLAG_LOGGED_IN_BEFORE]: "true", [FLAG_TUTORIAL_COMPLETED]: "true" };
  const cases = [
    ["incomplete", done, { [FLAG_LOGGED_IN_BEFORE]: "true", [FLAG_NEW_USER]: "true" }],
    ["complete", {}, { [FLAG_NEW_USER]: "true", [FLAG_LOGGED_IN_BEFORE]: "true" }],
    ["complete", { [FLAG_LOGGED_IN_BEFORE]: "true" }, { [FLAG_NEW_USER]: "true", [FLAG_LOGGED_IN_BEFORE]: "true" }],
    ["complete", done, done],
    ["profile_completed", done, { [FLAG_NEW_USER]: "true", [FLAG_LOGGED_IN_BEFORE]: "true" }],
  ] as const;
  for (const [arrival, before, after] of cases) {
    const storage = memory(before);
    noteArrival(arrival, false, storage);
    expect(Object.fromEntries(storage.kept)).toEqual(after);
  }
  const elsewhere = memory(done);
  noteArrival("profile_completed", true, elsewhere);
  expect(elsewhere.kept.get(FLAG_NEW_USER)).toBe(NEW_USER_WAITS);
  expect(elsewhere.kept.has(FLAG_TUTORIAL_COMPLETED)).toBe(false);
  expect(FLAG_TUTORIAL_COMPLETED).toBe("chuoni_tutorial_completed");
});

const utf16 = (text: string) => [...text].flatMap((letter) => [letter.charCodeAt(0), 0]);
const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
const OLD_WORD = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...utf16("WordDocument")];
const NEW_WORD = [0x50, 0x4b, 0x03, 0x04, ...ascii("[Content_Types].xml word/document.xml")];

test.each<[string, number[], FileKind | null]>([
  ["an old Word file", OLD_WORD, "doc"],
  ["an old Word file with macros", [...OLD_WORD, ...utf16("_VBA_PROJECT")], null],
  ["an old Word file with something embedded", [...OLD_WORD, ...utf16("ObjectPool")], null],
  ["a Word file", NEW_WORD, "docx"],
  ["a Word file with macros", [...NEW_WORD, ...ascii("word/vbaProject.bin")], null],
  ["a Word file with something embedded", [...NEW_WORD, ...ascii("word/embeddings/a.bin")], null],
])("%s is safe to open, or is not taken", (_name, bytes, kind) => {
  expect(sniffFile(new Uint8Array(bytes))).toBe(kind);
});
