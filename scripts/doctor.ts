/**
 * `npm run doctor`: checks everything that can be checked before and after a deployment, and says what to do about each
 * line. `-- --local` checks the app on your machine, which must be running. `-- --pay 0712345678` makes a first payment
 * of KES 10.
 */
import { createHash, randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { readPhone } from "#app/accounts/profile/phone.ts";
import type { Finding } from "#app/admin/operations/doctor-rules.ts";
import { CommandError, runMain } from "#scripts/command.ts";
import {
  databaseFinding,
  examineConfiguration,
  findMissingSecrets,
  NOT_LOGGED_IN,
  readProduction,
} from "#scripts/doctor/configuration.ts";
import { lineOf } from "#scripts/doctor/print.ts";
import { examineWorker, pay, type Visit } from "#scripts/doctor/worker.ts";
import { chosenPort } from "#scripts/local-environment.ts";
import { findDifferences, readMigrations } from "#scripts/migrations.ts";
import { askWrangler, databaseOfWrangler, isLoggedIn, listSecrets, PRODUCTION_DATABASE } from "#scripts/wrangler.ts";

/** How long to wait for M-Pesa's callbacks, ms. A prompt rings for up to a minute. */
const PATIENCE_MS = 90_000;

await runMain(async () => {
  const { values } = parseArgs({
    options: { local: { type: "boolean", default: false }, pay: { type: "string" } },
  });
  const phone = values.pay === undefined ? null : phoneIn(values.pay);
  let bad = 0;
  const report = (finding: Finding) => {
    if (finding.state === "bad") bad += 1;
    console.log(lineOf(finding));
  };
  const visit = values.local ? localVisit() : await productionVisit(report);
  if (visit) {
    await examineWorker(visit, report);
    if (phone !== null) {
      console.log("\nA payment of KES 10. Enter your PIN on the phone when it asks.");
      await pay(visit, phone, report);
    }
  }
  if (bad > 0) throw new CommandError(`\n${bad} ${bad === 1 ? "line needs" : "lines need"} something.`);
  console.log("\nNothing needs anything.");
});

function phoneIn(typed: string): string {
  const read = readPhone(typed);
  if (!read.ok) throw new CommandError(`--pay needs an M-Pesa number, such as 0712345678: ${read.error}`);
  return read.phone;
}

/** The running app of this machine. */
function localVisit(): Visit {
  const origin = process.env.CHUONI_ORIGIN ?? `http://localhost:${chosenPort()}`;
  return { origin, secret: "on-my-own-machine", fetch, patienceMs: PATIENCE_MS };
}

/**
 * Examines what Wrangler knows. Returns how to ask the deployed worker; null where there is no database to be let in
 * by.
 */
async function productionVisit(report: (finding: Finding) => void): Promise<Visit | null> {
  const production = readProduction();
  const findings = examineConfiguration(production);
  findings.forEach(report);
  if (findings.some(({ check, state }) => check === "ids" && state === "bad")) return null;
  if (!(await isLoggedIn())) {
    report(NOT_LOGGED_IN);
    return null;
  }
  report(findMissingSecrets(production, await listSecrets().catch(() => null)));
  for (const { bucket_name: name } of production.r2_buckets) report(await examineBucket(name));
  const database = databaseOfWrangler(...PRODUCTION_DATABASE);
  const differences = await findDifferences(database, readMigrations()).catch((error: Error) => [error.message.trim()]);
  report(databaseFinding(differences));
  if (differences.length > 0) return null;
  const secret = randomBytes(32).toString("hex");
  const hash = createHash("sha256").update(secret).digest("hex");
  await database.query(`INSERT INTO probes (token, kind, started_at) VALUES ('${hash}', 'visit', ${Date.now()})`);
  return { origin: production.vars.APP_ORIGIN, secret, fetch, patienceMs: PATIENCE_MS };
}

async function examineBucket(name: string): Promise<Finding> {
  const works = await askWrangler("r2", "bucket", "info", name).then(
    () => true,
    () => false,
  );
  return works
    ? { check: "buckets", state: "ok", fact: name }
    : { check: "buckets", state: "bad", fact: `${name} isn't there` };
}
