import { expect, test } from "vitest";
import { hashPassword, isOutdatedHash, verifyPassword } from "#app/accounts/login/passwords.server.ts";

test("a password is hashed at the cost that OWASP asks for, and a cheaper hash is outdated", async () => {
  const hash = await hashPassword("campus-demo", "pepper");
  expect(hash).toMatch(/^scrypt\$16384\$8\$5\$/);
  expect(await verifyPassword("campus-demo", "pepper", hash)).toBe(true);
  expect(await verifyPassword("campus-demo", "another pepper", hash)).toBe(false);
  expect(isOutdatedHash(hash)).toBe(false);
  expect(isOutdatedHash(hash.replace("$16384$", "$1024$"))).toBe(true);
});
