import fc from "fast-check";
import { expect, test } from "vitest";
import {
  isAddressAt,
  isPublicHttps,
  readIssuerUrl,
  secretName,
  vouchRefusal,
} from "#app/accounts/login/issuer-rules.ts";

test.each([
  "https://login.uonbi.ac.ke",
  "https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0",
  "https://sso.chuo.ac.ke:8443/realms/students",
  "https://xn--bcher-kva.example.co.ke/",
])("%s is public", (address) => expect(isPublicHttps(address)).toBe(true));

test.each([
  "http://login.uonbi.ac.ke",
  "https://localhost",
  "https://localhost.",
  "https://intranet",
  "https://10.0.0.1",
  "https://169.254.169.254/latest",
  "https://0x7f.1",
  "https://2130706433",
  "https://[::1]",
  "https://login.uonbi.ac.ke@10.0.0.1",
  "https://user:password@login.uonbi.ac.ke",
  "https://metadata.google.internal",
  "https://printer.local",
  "https://sso.internal.",
  "file:///etc/passwd",
  "data:,x",
  "login.uonbi.ac.ke",
  "",
])("%s is not asked", (address) => expect(isPublicHttps(address)).toBe(false));

test("an issuer's address is read as people paste it", () => {
  const read = (typed: string) => readIssuerUrl(typed, isPublicHttps);
  expect(read(" https://login.uonbi.ac.ke ")).toBe("https://login.uonbi.ac.ke");
  expect(read("https://login.uonbi.ac.ke/")).toBe("https://login.uonbi.ac.ke/");
  expect(read("https://sso.chuo.ac.ke/realms/s/.well-known/openid-configuration")).toBe(
    "https://sso.chuo.ac.ke/realms/s",
  );
  for (const typed of ["https://a.ac.ke?x=1", "https://a.ac.ke#x", "nonsense"]) expect(read(typed)).toBeNull();
});

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const domain = fc.tuple(label, label, label).map((labels) => labels.join("."));

test("a university vouches for addresses at its domain and below it, and for no other", () => {
  fc.assert(
    fc.property(label, domain, domain, label, (person, own, other, below) => {
      fc.pre(own !== other && !other.endsWith(`.${own}`));
      for (const at of [own, `${below}.${own}`]) expect(isAddressAt(own, `${person}@${at}`)).toBe(true);
      for (const at of [other, `${below}${own}`, `${own}.${other}`, `${own}${below}`])
        expect(isAddressAt(own, `${person}@${at}`)).toBe(false);
    }),
  );
});

test.each([
  [null, "a@gmail.com", true, null],
  [null, "a@gmail.com", null, "unverified"],
  [null, "a@gmail.com", false, "unverified"],
  ["uonbi.ac.ke", "a@uonbi.ac.ke", null, null],
  ["uonbi.ac.ke", "a@students.uonbi.ac.ke", true, null],
  ["uonbi.ac.ke", "a@uonbi.ac.ke", false, "unverified"],
  ["uonbi.ac.ke", "a@gmail.com", true, "other_domain"],
])("an issuer of %s vouches for %s (verified: %s): %s", (own, email, emailVerified, refusal) => {
  expect(vouchRefusal({ domain: own }, { email, emailVerified })).toBe(refusal);
});

test("two universities have no secret in common", () => {
  expect(secretName("uonbi.ac.ke")).toBe("OIDC_SECRET_UONBI_AC_KE");
  expect(secretName("uon-bi.ac.ke")).not.toBe(secretName("uon.bi.ac.ke"));
});
