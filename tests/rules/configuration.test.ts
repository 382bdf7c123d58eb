import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";
import { z } from "zod";
import type { Environment } from "#scripts/environment.ts";
import { RETRY_AFTER_S } from "#app/platform/rate-limit-rules.ts";

const root = resolve(import.meta.dirname, "../..");

const bound = (name: "binding" | "name") =>
  z.array(z.object({ [name]: z.string() }).transform((entry) => entry[name] ?? ""));

const Configuration = z.object({
  d1_databases: bound("binding"),
  kv_namespaces: bound("binding"),
  r2_buckets: bound("binding"),
  durable_objects: z.object({ bindings: bound("name") }).transform(({ bindings }) => bindings),
  services: bound("binding"),
  send_email: bound("name"),
  ratelimits: bound("name"),
  vars: z.record(z.string(), z.unknown()).transform(Object.keys),
  secrets: z.object({ required: z.array(z.string()) }).transform(({ required }) => required),
});

type Named = "local" | Environment;
const DEPLOYED: Environment[] = ["production", "staging"];

function readEnvironment(env: Named) {
  return unstable_readConfig(
    { config: resolve(root, "wrangler.toml"), ...(env === "local" ? {} : { env }) },
    { hideWarnings: true },
  );
}

/** Each binding, variable and secret of an environment as "kind NAME". */
function bindingsOf(env: Named): string[] {
  const kinds = Object.entries(Configuration.parse(readEnvironment(env)));
  return kinds.flatMap(([kind, names]) => names.map((name) => `${kind} ${name}`)).toSorted();
}

function namesOf(env: Named): string[] {
  return bindingsOf(env).map((binding) => binding.split(" ")[1] ?? "");
}

test.each(DEPLOYED)("%s has every binding that the local environment has, and only the sandbox is missing", (env) => {
  expect(bindingsOf("local").filter((binding) => binding !== "services SANDBOX")).toEqual(bindingsOf(env));
  expect(namesOf("local")).toContain("SANDBOX");
});

test("all environments let the same screens skip the look among the files, and hide no file by it", () => {
  const [local, production, staging] = (["local", "production", "staging"] as const).map((env) =>
    z.array(z.string()).parse(readEnvironment(env).assets?.run_worker_first),
  );
  expect(local).toContain("/studentmarketplace*");
  expect(production).toEqual(local);
  expect(staging).toEqual(local);
  const files = ["assets/start.js", ...globSync("**", { cwd: resolve(root, "public") })].map((file) => `/${file}`);
  const starts = (local ?? []).map((pattern) => pattern.replace(/\*$/, ""));
  expect(files.filter((file) => starts.some((start) => file.startsWith(start)))).toEqual([]);
});

test("each environment brings one database, sessions, both buckets, the live object and the rate limiters", () => {
  expect(namesOf("production")).toEqual(
    expect.arrayContaining([
      "DB",
      "SESSIONS",
      "MEDIA",
      "DOCUMENTS",
      "USER_HUB",
      "LISTING_COUNTER",
      "LIMIT_ADDRESS",
      "LIMIT_SIGN_IN",
      "LIMIT_PAYMENT",
      "LIMIT_WRITE",
    ]),
  );
});

test("every binding, variable and secret is typed in workers/env.ts, and nothing is typed that is not declared", () => {
  const source = readFileSync(resolve(root, "workers/env.ts"), "utf8");
  const typed = [...source.matchAll(/^ {2}([A-Z][A-Z0-9_]*)(\??):/gm)].map(([, name, optional]) => ({
    name: name ?? "",
    optional: optional === "?",
  }));
  const required = typed.filter(({ optional }) => !optional).map(({ name }) => name);
  const declared = namesOf("local");
  expect(typed.map(({ name }) => name)).toEqual(expect.arrayContaining(declared));
  expect(declared).toEqual(expect.arrayContaining(required));
});

test.each(DEPLOYED)("%s runs the same code as the local environment, by the same date, cron and migrations", (env) => {
  const shared = z.object({
    main: z.string(),
    compatibility_date: z.string(),
    triggers: z.object({ crons: z.array(z.string()) }),
    migrations: z.array(z.unknown()),
  });
  expect(shared.parse(readEnvironment(env))).toEqual(shared.parse(readEnvironment("local")));
});

test("the platform keeps no line of whole addresses, which hold the tokens of links and callbacks", () => {
  const quiet = z.object({
    observability: z.object({ enabled: z.literal(true), logs: z.object({ invocation_logs: z.literal(false) }) }),
  });
  for (const env of ["local", ...DEPLOYED] as const)
    expect(quiet.safeParse(readEnvironment(env)).error).toBeUndefined();
});

test.each(DEPLOYED)("%s is reached at the host of APP_ORIGIN and nowhere else", (env) => {
  const reached = z.object({
    workers_dev: z.boolean(),
    preview_urls: z.boolean(),
    routes: z.array(z.object({ pattern: z.string(), custom_domain: z.literal(true) })),
    vars: z.object({ APP_ORIGIN: z.string() }),
  });
  const { vars, ...addresses } = reached.parse(readEnvironment(env));
  expect(addresses).toEqual({
    workers_dev: false,
    preview_urls: false,
    routes: [{ pattern: new URL(vars.APP_ORIGIN).host, custom_domain: true }],
  });
});

test("Retry-After names the period of every rate limit", () => {
  const periods = z.object({ ratelimits: z.array(z.object({ simple: z.object({ period: z.number() }) })) });
  for (const env of ["local", ...DEPLOYED] as const)
    for (const { simple } of periods.parse(readEnvironment(env)).ratelimits) expect(simple.period).toBe(RETRY_AFTER_S);
});

test("no secret stands in wrangler.toml", () => {
  const { secrets } = Configuration.parse(readEnvironment("production"));
  const text = readFileSync(resolve(root, "wrangler.toml"), "utf8");
  for (const name of secrets) expect(text).not.toMatch(new RegExp(`^\\s*${name}\\s*=`, "m"));
});
