/**
 * `npm run doctor`: checks everything that can be checked before and after a deployment, and says what to do about each
 * line, and what is due this week. `-- --local` checks the app on your machine, which must be running,
 * and `-- --staging` the rehearsal. `-- --keys FILE`
 * compares the copies of the keys that you keep, in lines NAME=VALUE. `-- --pay 0712345678` makes a first payment of
 * KES 10.
 */
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:tls";
import { parseArgs, parseEnv } from "node:util";
import { readPhone } from "#app/accounts/profile/phone.ts";
import { certificateFinding, type Finding, weekOf } from "#app/admin/operations/doctor-rules.ts";
import { CommandError, runMain } from "#scripts/command.ts";
import {
  databaseFinding,
  examineConfiguration,
  findMissingSecrets,
  NOT_LOGGED_IN,
  readSettings,
} from "#scripts/doctor/configuration.ts";
import { type Environment, environmentOf, otherThan, STAGING_OPTION } from "#scripts/environment.ts";
import { lineOf } from "#scripts/doctor/print.ts";
import { examineWorker, pay, type Visit } from "#scripts/doctor/worker.ts";
import { chosenPort } from "#scripts/local-environment.ts";
import { findDifferences, readMigrations } from "#scripts/migrations.ts";
import { askWrangler, deployedDatabase, isLoggedIn, listSecrets } from "#scripts/wrangler.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** How long to wait for M-Pesa's callbacks, ms. A prompt rings for up to a minute. */
const PATIENCE_MS = 90_000;
const CERTIFICATE_MS = 10_000;

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      local: { type: "boolean", default: false },
      keys: { type: "string" },
      pay: { type: "string" },
      ...STAGING_OPTION,
    },
  });
  const phone = values.pay === undefined ? null : phoneIn(values.pay);
  const environment = environmentOf(values);
  const keys = values.keys === undefined ? null : readKeys(values.keys);
  const findings: Finding[] = [];
  const report = (finding: Finding) => {
    findings.push(finding);
    console.log(lineOf(finding, environment));
  };
  const visit = values.local ? localVisit() : await deployedVisit(environment, keys, report);
  if (visit) {
    await examineWorker(visit, report);
    if (phone !== null) {
      console.log("\nA payment of KES 10. Enter your PIN on the phone when it asks.");
      await pay(visit, phone, report);
    }
  }
  const week = weekOf(findings);
  if (week.length > 0) console.log(`\nThis week:\n${week.map((line) => `- ${line}`).join("\n")}`);
  const bad = findings.filter(({ state }) => state === "bad").length;
  if (bad > 0) throw new CommandError(`\n${bad} ${bad === 1 ? "line needs" : "lines need"} something.`);
  console.log(week.length > 0 ? "\nNothing is wrong." : "\nNothing needs anything.");
});

function phoneIn(typed: string): string {
  const read = readPhone(typed);
  if (!read.ok) throw new CommandError(`--pay needs an M-Pesa number, such as 0712345678: ${read.error}`);
  return read.phone;
}

/** The operator's own copies of the keys. @throws CommandError if there is no such file */
function readKeys(file: string): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(parseEnv(readFileSync(file, "utf8"))).map(([name, value]) => [name, value ?? ""]),
    );
  } catch {
    throw new CommandError(`${file} can't be read. It has a line for each key: PASSWORD_PEPPER=…`);
  }
}

/** When the certificate of the address ends, as whoever comes there sees it. */
function examineCertificate(origin: string): Promise<Finding> {
  const { hostname } = new URL(origin);
  return new Promise((done) => {
    const socket = connect({ host: hostname, port: 443, servername: hostname, timeout: CERTIFICATE_MS }, () => {
      const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / DAY_MS);
      done(certificateFinding(days));
      socket.end();
    });
    const fail = (why: string) => {
      done({ check: "certificate", state: "bad", fact: why });
      socket.destroy();
    };
    socket.on("error", (error) => fail(error.message));
    socket.on("timeout", () => fail(`${hostname} doesn't answer`));
  });
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
async function deployedVisit(
  environment: Environment,
  keys: Record<string, string> | null,
  report: (finding: Finding) => void,
): Promise<Visit | null> {
  const settings = readSettings(environment);
  const findings = examineConfiguration(settings, readSettings(otherThan(environment)));
  findings.forEach(report);
  if (findings.some(({ check, state }) => check === "ids" && state === "bad")) return null;
  if (!(await isLoggedIn())) {
    report(NOT_LOGGED_IN);
    return null;
  }
  report(findMissingSecrets(settings, await listSecrets(environment).catch(() => null)));
  for (const { bucket_name: name } of settings.r2_buckets) report(await examineBucket(name));
  const database = deployedDatabase(environment);
  const differences = await findDifferences(database, readMigrations()).catch((error: Error) => [error.message.trim()]);
  report(databaseFinding(differences));
  if (differences.length > 0) return null;
  const secret = randomBytes(32).toString("hex");
  const hash = createHash("sha256").update(secret).digest("hex");
  await database.query(`INSERT INTO probes (token, kind, started_at) VALUES ('${hash}', 'visit', ${Date.now()})`);
  const { vars } = settings;
  report(await examineCertificate(vars.APP_ORIGIN));
  return { origin: vars.APP_ORIGIN, secret, fetch, patienceMs: PATIENCE_MS, expected: { variables: vars, keys } };
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
