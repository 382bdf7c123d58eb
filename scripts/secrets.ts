import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { replaceFile, root } from "#scripts/folders.ts";
import { newVapidKey } from "#scripts/vapid-key.ts";

/** The secrets for the local environment. The Daraja values are the sandbox's own and are useless elsewhere. */
const LOCAL_SECRETS: Record<string, () => string> = {
  SESSION_SECRETS: () => randomBytes(32).toString("hex"),
  PASSWORD_PEPPER: () => randomBytes(32).toString("hex"),
  HANDOVER_CODE_KEY: () => randomBytes(32).toString("hex"),
  VAPID_PRIVATE_KEY: newVapidKey,
  DARAJA_CONSUMER_KEY: () => "sandbox-consumer-key",
  DARAJA_CONSUMER_SECRET: () => "sandbox-consumer-secret",
  DARAJA_PASSKEY: () => "bfb279f9aa9bdbcf158e97dd71a467cd2e0c893059b10f78e6b72ada1ed2c919",
  DARAJA_SECURITY_CREDENTIAL: () => "sandbox-security-credential",
};

const file = join(root, ".dev.vars");

/** The contents of `.dev.vars`. Missing secrets are generated and added first. */
export function ensureSecrets(): Record<string, string> {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "# Local secrets, made by npm start. Never committed.\n";
  const secrets: Record<string, string> = {};
  for (const [name, value] of Object.entries(parseEnv(text))) if (value) secrets[name] = value;
  const lines: string[] = [];
  for (const [name, make] of Object.entries(LOCAL_SECRETS)) {
    if (secrets[name]) continue;
    const value = make();
    secrets[name] = value;
    lines.push(`${name}="${value}"\n`);
  }
  if (lines.length > 0) {
    // The old ones stay: without the pepper, no password of the local data would fit.
    replaceFile(file, `${text.endsWith("\n") ? text : `${text}\n`}${lines.join("")}`, 0o600);
  }
  return secrets;
}
