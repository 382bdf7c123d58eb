/** What has been copied of a person is copied again by each edit (docs/architecture.md): `copyEdited`. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const app = resolve(import.meta.dirname, "../../app");
const read = (file: string) => readFileSync(join(app, file), "utf8");

/** The columns of profiles and shops that copies hold. What our team verifies is no edit. */
const NO_EDIT = ["id", "deletedAt", "verifiedLevel"];
const SOURCES = ["accounts/profile/person-copy.server.ts", "catalogue/listing-copy.server.ts"].map(read).join("\n");
const COPIED = [
  ...new Set(Array.from(SOURCES.matchAll(/\bwritten(?:Person|Shop)\.(\w+)/g), ([, column = ""]) => column)),
].filter((column) => !NO_EDIT.includes(column));

/** Those that change none of these, though they don't name each column, and why. */
const EXCEPTIONS: Record<string, string> = {
  "accounts/erase.server.ts": "the erasure of an account is no edit",
  "accounts/login/take-back.server.ts": "numbers alone",
  "accounts/trust/documents.server.ts": "our team's decision",
  "admin/people/verifications.server.ts": "our team's decision",
};

/**
 * What is written into profiles and shops, each with the rest of its function. Nothing of a new profile has been
 * copied.
 */
function writesIn(text: string): { written: string; rest: string }[] {
  return Array.from(text.matchAll(/\.update\((?:profiles|shops)\)|\.insert\(shops\)|insertEach\(\s*shops\b/g)).map(
    ({ index }) => {
      const rest = text.slice(index).split(/^\}$/m)[0] ?? "";
      return { written: rest.split(/\.where\(|\.onConflict|FROM \$|^\s*\]/m)[0] ?? "", rest };
    },
  );
}

/** Whether the write may change a column that copies hold: it names one, or not all that it writes. */
function mayEdit(written: string): boolean {
  const named = new RegExp(`\\b(nameColumns|${COPIED.join("|")})\\b`);
  return named.test(written) || /\.\.\.\w|\.(?:set|values)\(\w+\)/.test(written);
}

const isForgetful = (text: string) =>
  writesIn(text).some(({ written, rest }) => mayEdit(written) && !rest.includes("copyEdited(PERSON_COPY"));

test("copies hold the columns that this test knows of", () => {
  for (const column of ["fullName", "campusLocation", "photoUrl", "shopName", "policies", "logoUrl"])
    expect(COPIED).toContain(column);
});

test("whoever edits what copies hold of a person lets it be copied", () => {
  const files = globSync("**/*.ts", { cwd: app });
  expect(files.flatMap((file) => writesIn(read(file))).length).toBeGreaterThan(25);
  const forgetful = files.filter((file) => isForgetful(read(file)));
  expect(forgetful.toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted());
});

test.each([
  ["build.update(profiles).set({ photoUrl: null }).where(isOwn)", true],
  ["build.update(profiles).set({ phone: null }).where(isOwn)", false],
  ["build.update(shops).set({ ...values }).where(isOwn)", true],
  ["build.insert(shops).values(shop)", true],
  ["build.update(shops).set({ bannerUrl }), copyEdited(PERSON_COPY, ids, now)", false],
  ["build.update(shops).set({ bannerUrl })\n}\ncopyEdited(PERSON_COPY, ids, now)", true],
])("%s forgets: %s", (text, forgets) => {
  expect(isForgetful(text)).toBe(forgets);
});
