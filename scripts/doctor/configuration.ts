import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { z } from "zod";
import { type DoctorCheck, type Finding, twoStepsFinding } from "#app/admin/operations/doctor-rules.ts";
import type { Environment } from "#scripts/environment.ts";
import { root } from "#scripts/folders.ts";
import { findCallbackOriginFaults } from "#workers/daraja/callback-urls.ts";

/** What an operator fills in of [env.production] or [env.staging] in wrangler.toml. */
export const Settings = z.object({
  name: z.string(),
  vars: z.object({
    APP_ENV: z.string(),
    APP_ORIGIN: z.string(),
    ADMIN_EMAILS: z.string(),
    ADMIN_TWO_STEP: z.string(),
    DARAJA_MODE: z.string(),
    DARAJA_BASE_URL: z.string(),
    DARAJA_SHORTCODE: z.string(),
    DARAJA_KIND: z.string(),
    DARAJA_TILL: z.string(),
    DARAJA_PAYOUT_SHORTCODE: z.string(),
    DARAJA_INITIATOR: z.string(),
    DARAJA_QUERY_SPACING_MS: z.string(),
    DARAJA_PULL_NUMBER: z.string(),
    ESCROW_INSPECTION_HOURS: z.string(),
    GOOGLE_CLIENT_ID: z.string(),
    GOOGLE_ISSUER: z.string(),
    MAIL_TRANSPORT: z.string(),
    MAIL_FROM: z.string(),
    SUPPORT_EMAIL: z.string(),
    CONTROLLER_NAME: z.string(),
    CONTROLLER_ADDRESS: z.string(),
    CONTROLLER_REGISTRATION: z.string(),
  }),
  d1_databases: z.array(z.object({ database_id: z.string() })),
  kv_namespaces: z.array(z.object({ id: z.string() })),
  r2_buckets: z.array(z.object({ bucket_name: z.string() })),
  routes: z.array(z.object({ pattern: z.string() })),
  ratelimits: z.array(z.object({ name: z.string(), namespace_id: z.string() })),
  secrets: z.object({ required: z.array(z.string()) }),
});
export type Settings = z.infer<typeof Settings>;

export function readSettings(environment: Environment): Settings {
  return Settings.parse(
    unstable_readConfig({ config: join(root, "wrangler.toml"), env: environment }, { hideWarnings: true }),
  );
}

const SHORTCODE = /^\d{5,7}$/;
const D1_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const KV_ID = /^[0-9a-f]{32}$/;
const BUCKET_NAME = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;
const HOURS = /^\d{1,3}$/;
/** Hours of inspection: more than 30 days would hold people's money for no reason. */
const MOST_HOURS = 720;
const EMAIL = /^[^\s@<>]+@[^\s@<>]+\.[a-z]{2,}$/i;

/** Everything of an environment that only it may have. */
function ownNames({ name, d1_databases, kv_namespaces, r2_buckets, ratelimits, routes }: Settings): string[] {
  return [
    name,
    ...d1_databases.map(({ database_id: id }) => id),
    ...kv_namespaces.map(({ id }) => id),
    ...r2_buckets.map(({ bucket_name: bucket }) => bucket),
    ...ratelimits.map(({ namespace_id: id }) => id),
    ...routes.map(({ pattern }) => pattern),
  ];
}

/**
 * What is wrong with what was filled in, a finding for each check. Pure. `other`: the other environment, which must
 * share nothing with it.
 */
export function examineConfiguration(settings: Settings, other: Settings | null = null): Finding[] {
  const { vars, routes } = settings;
  return [
    finding("ids", "filled in", [...findIdFaults(settings), ...findShared(settings, other)]),
    finding("variables", "each has its form", findVariableFaults(vars)),
    finding("address", vars.APP_ORIGIN, findAddressFaults(vars.APP_ORIGIN, routes)),
    finding("mail_settings", `${vars.MAIL_FROM} through ${vars.MAIL_TRANSPORT}`, [
      ...[addressIn(vars.MAIL_FROM), vars.SUPPORT_EMAIL].flatMap((address) =>
        isRealEmail(address) ? [] : [`${address || "an empty text"} is no address that works`],
      ),
      ...(["resend", "cloudflare"].includes(vars.MAIL_TRANSPORT) ? [] : [`MAIL_TRANSPORT is "${vars.MAIL_TRANSPORT}"`]),
    ]),
    controllerFinding(vars),
    finding("operators", vars.ADMIN_EMAILS, findOperatorFaults(vars.ADMIN_EMAILS)),
    twoStepsFinding(vars.ADMIN_TWO_STEP !== "optional"),
    finding("daraja_settings", `paybill or till ${vars.DARAJA_SHORTCODE}`, findDarajaFaults(vars)),
  ];
}

function findIdFaults({ d1_databases, kv_namespaces, r2_buckets, ratelimits }: Settings): string[] {
  const [databases, namespaces] = [d1_databases.map((one) => one.database_id), kv_namespaces.map(({ id }) => id)];
  const buckets = r2_buckets.map(({ bucket_name: name }) => name);
  return [
    ...databases.flatMap((id) => idFault(id, D1_ID, "the id of the D1 database")),
    ...namespaces.flatMap((id) => idFault(id, KV_ID, "the id of the KV namespace")),
    ...buckets.filter((name) => !BUCKET_NAME.test(name)).map((name) => `"${name}" is no name of a bucket`),
    ...repeated(buckets).map((name) => `${name} is the bucket of two bindings: documents would be where pictures are`),
    ...repeated(ratelimits.map((one) => one.namespace_id)).map((id) => `two ratelimits have the namespace_id ${id}`),
  ];
}

/** A rehearsal must not touch what people use. */
function findShared(ours: Settings, other: Settings | null): string[] {
  const theirs = other === null ? [] : ownNames(other);
  return ownNames(ours)
    .filter((name) => theirs.includes(name))
    .map((name) => `${name} is also the other environment's`);
}

function idFault(id: string, form: RegExp, name: string): string[] {
  if (isPlaceholder(id)) return [name];
  return form.test(id) ? [] : [`${name} isn't "${id}"`];
}

function repeated(texts: string[]): string[] {
  return [...new Set(texts.filter((text, at) => texts.indexOf(text) !== at))];
}

function findVariableFaults(vars: Settings["vars"]): string[] {
  const spaced = Object.entries(vars).filter(([, value]) => value.trim() !== "" && value !== value.trim());
  return [
    ...spaced.map(([name]) => `${name} begins or ends with a space`),
    ...(/^\d{1,6}$/.test(vars.DARAJA_QUERY_SPACING_MS) ? [] : ["DARAJA_QUERY_SPACING_MS is no number of milliseconds"]),
    ...(/^(254[17]\d{8})?$/.test(vars.DARAJA_PULL_NUMBER)
      ? []
      : ["DARAJA_PULL_NUMBER isn't 254 and nine digits, nor empty"]),
    ...(HOURS.test(vars.ESCROW_INSPECTION_HOURS) && Number(vars.ESCROW_INSPECTION_HOURS) <= MOST_HOURS
      ? []
      : [`ESCROW_INSPECTION_HOURS is no number of hours up to ${MOST_HOURS}`]),
    ...(/^([\w-]+\.apps\.googleusercontent\.com)?$/.test(vars.GOOGLE_CLIENT_ID)
      ? []
      : ["GOOGLE_CLIENT_ID doesn't end with .apps.googleusercontent.com, and isn't empty"]),
    ...(vars.GOOGLE_ISSUER === "https://accounts.google.com" ? [] : [`GOOGLE_ISSUER is ${vars.GOOGLE_ISSUER}`]),
  ];
}

function findAddressFaults(origin: string, routes: Settings["routes"]): string[] {
  const host = URL.parse(origin)?.host ?? "";
  return [
    ...(host.endsWith(".example") ? [`${origin} is still the example`] : []),
    ...findCallbackOriginFaults(origin).map((fault) => fault.replace(/^callbackOrigin /, "")),
    ...(routes.some(({ pattern }) => pattern === host) ? [] : [`routes doesn't have ${host}`]),
  ];
}

function controllerFinding(vars: Settings["vars"]): Finding {
  const { CONTROLLER_NAME: name, CONTROLLER_ADDRESS: address, CONTROLLER_REGISTRATION: registration } = vars;
  const faults = [
    ...(name.trim() === "" ? ["CONTROLLER_NAME is empty"] : []),
    ...(address.trim() === "" ? ["CONTROLLER_ADDRESS is empty"] : []),
  ];
  if (faults.length > 0 || registration.trim() !== "")
    return finding("controller", `${name}, registered as ${registration}`, faults);
  return { check: "controller", state: "unknown", fact: "no CONTROLLER_REGISTRATION: right only if you need none" };
}

function findOperatorFaults(emails: string): string[] {
  const listed = emails
    .split(",")
    .map((email) => email.trim())
    .filter((email) => email !== "");
  if (listed.length === 0) return ["ADMIN_EMAILS is empty, so nobody is told of an alarm"];
  return [
    ...listed.filter((email) => !isRealEmail(email)).map((email) => `${email} is no address that works`),
    ...repeated(listed.map((email) => email.toLowerCase())).map((email) => `${email} is there twice`),
    ...(listed.length === 1 ? ["one alone can't confirm more than KES 50,000"] : []),
  ];
}

/** Where each environment reaches Safaricom. A rehearsal can't reach anybody's money. */
const SAFARICOM: Record<Environment, { mode: string; url: string }> = {
  production: { mode: "production", url: "https://api.safaricom.co.ke" },
  staging: { mode: "sandbox", url: "https://sandbox.safaricom.co.ke" },
};

function findDarajaFaults(vars: Settings["vars"]): string[] {
  const isStaging = vars.APP_ENV === "staging";
  const { mode, url } = SAFARICOM[isStaging ? "staging" : "production"];
  return [
    ...(vars.DARAJA_MODE === mode ? [] : [`DARAJA_MODE is "${vars.DARAJA_MODE}"`]),
    ...(vars.DARAJA_BASE_URL === url ? [] : [`DARAJA_BASE_URL is ${vars.DARAJA_BASE_URL}`]),
    ...(SHORTCODE.test(vars.DARAJA_SHORTCODE) ? [] : ["DARAJA_SHORTCODE isn't 5 to 7 digits"]),
    ...(SHORTCODE.test(vars.DARAJA_PAYOUT_SHORTCODE) ? [] : ["DARAJA_PAYOUT_SHORTCODE isn't 5 to 7 digits"]),
    ...(vars.DARAJA_KIND !== "till" || SHORTCODE.test(vars.DARAJA_TILL) ? [] : ["DARAJA_TILL isn't 5 to 7 digits"]),
    ...(["paybill", "till"].includes(vars.DARAJA_KIND) ? [] : [`DARAJA_KIND is "${vars.DARAJA_KIND}"`]),
    ...(vars.DARAJA_INITIATOR.trim() === "" ? ["DARAJA_INITIATOR is empty"] : []),
    ...(/\s/.test(vars.DARAJA_INITIATOR.trim()) ? ["DARAJA_INITIATOR has a space"] : []),
    ...(vars.DARAJA_KIND === "till" && vars.DARAJA_TILL === vars.DARAJA_SHORTCODE
      ? ["DARAJA_TILL is DARAJA_SHORTCODE, which is the store's number"]
      : []),
    // Safaricom's public sandbox.
    ...(vars.DARAJA_SHORTCODE === "174379" && !isStaging ? ["174379 is Safaricom's sandbox"] : []),
    ...(vars.DARAJA_INITIATOR === "testapi" && !isStaging ? ["testapi is Safaricom's sandbox"] : []),
  ];
}

/** Without a login nothing can be asked of Cloudflare. */
export const NOT_LOGGED_IN: Finding = { check: "login", state: "bad", fact: "Wrangler has none" };

/**
 * The secrets that this configuration needs and `names` doesn't have. `names` is null where there is no worker to ask.
 */
export function findMissingSecrets(settings: Settings, names: string[] | null): Finding {
  if (names === null) return finding("secrets", "", ["none is set yet"]);
  const wanted = [
    ...settings.secrets.required,
    ...(settings.vars.MAIL_TRANSPORT === "resend" ? ["RESEND_API_KEY"] : []),
  ];
  const missing = wanted.filter((name) => !names.includes(name));
  return finding(
    "secrets",
    `all ${wanted.length} are set`,
    missing.length > 0 ? [`missing: ${missing.join(", ")}`] : [],
  );
}

/** What the database lacks, or has besides. A new one lacks hundreds of things, of which the first say enough. */
export function databaseFinding(differences: string[]): Finding {
  if (differences.length === 0)
    return { check: "database", state: "ok", fact: "every table, index, view and trigger is there" };
  const more = differences.length - MOST_DIFFERENCES;
  const lines = [...differences.slice(0, MOST_DIFFERENCES), ...(more > 0 ? [`and ${more} more`] : [])];
  return { check: "database", state: "bad", fact: lines.join("\n    ") };
}

const MOST_DIFFERENCES = 10;

function finding(check: DoctorCheck, fact: string, faults: string[]): Finding {
  return faults.length === 0 ? { check, state: "ok", fact } : { check, state: "bad", fact: faults.join("; ") };
}

function isPlaceholder(id: string): boolean {
  return /^[0-]*.$/.test(id);
}

/** "Chuoni <hello@chuoni.ac.ke>" as its address. */
function addressIn(sender: string): string {
  return /<([^<>]*)>\s*$/.exec(sender)?.[1] ?? sender.trim();
}

function isRealEmail(address: string): boolean {
  return EMAIL.test(address) && !/\.(example|test|invalid|localhost)$/i.test(address);
}
