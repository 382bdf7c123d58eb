import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { root } from "#scripts/places.ts";

/** What the app needs to run at home. The Daraja values are the sandbox's own and open nothing anywhere else. */
const LOCAL_SECRETS: Record<string, () => string> = {
  SESSION_SECRETS: () => randomBytes(32).toString("hex"),
  PASSWORD_PEPPER: () => randomBytes(32).toString("hex"),
  DARAJA_CONSUMER_KEY: () => "sandbox-consumer-key",
  DARAJA_CONSUMER_SECRET: () => "sandbox-consumer-secret",
  DARAJA_PASSKEY: () => "bfb279f9aa9bdbcf158e97dd71a467cd2e0c893059b10f78e6b72ada1ed2c919",
  DARAJA_SECURITY_CREDENTIAL: () => "sandbox-security-credential",
};

const file = join(root, ".dev.vars");

/** The local secrets, from `.dev.vars`; what is missing there is made and added. */
export function ensureSecrets(): Record<string, string> {
  const present = existsSync(file) ? readFileSync(file, "utf8") : "# Local secrets, made by npm start. Never committed.\n";
  const known = parseEnv(present);
  const missing = Object.entries(LOCAL_SECRETS).filter(([name]) => !known[name]);
  const made = Object.fromEntries(missing.map(([name, make]) => [name, make()]));
  if (missing.length > 0) {
    const lines = Object.entries(made).map(([name, value]) => `${name}="${value}"\n`);
    writeFileSync(file, `${present.endsWith("\n") ? present : `${present}\n`}${lines.join("")}`, { mode: 0o600 });
  }
  const secrets: Record<string, string> = {};
  for (const name of Object.keys(LOCAL_SECRETS)) secrets[name] = made[name] ?? known[name] ?? "";
  return secrets;
}
