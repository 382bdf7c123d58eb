import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { z } from "zod";
import { CommandError } from "#scripts/command.ts";
import { root } from "#scripts/folders.ts";

const Production = z.object({
  vars: z.object({ APP_ORIGIN: z.string(), DARAJA_SHORTCODE: z.string() }),
  d1_databases: z.array(z.object({ database_id: z.string() })),
  kv_namespaces: z.array(z.object({ id: z.string() })),
  routes: z.array(z.object({ pattern: z.string() })),
});

/** @throws CommandError that names each part of [env.production] in wrangler.toml that is still a placeholder */
export function assertProductionIsFilledIn(): void {
  const { vars, d1_databases, kv_namespaces, routes } = Production.parse(
    unstable_readConfig({ config: join(root, "wrangler.toml"), env: "production" }),
  );
  const open: string[] = [];
  if (d1_databases.some(({ database_id }) => isPlaceholder(database_id))) open.push("the id of the D1 database");
  if (kv_namespaces.some(({ id }) => isPlaceholder(id))) open.push("the id of the KV namespace");
  if (vars.APP_ORIGIN.endsWith(".example")) open.push("APP_ORIGIN");
  if (routes.some(({ pattern }) => pattern.endsWith(".example"))) open.push("the route");
  if (vars.DARAJA_SHORTCODE === "") open.push("the DARAJA_ variables");
  if (open.length > 0)
    throw new CommandError(
      `Fill in [env.production] of wrangler.toml first: ${open.join(", ")}. docs/deploying.md says how.`,
    );
}

function isPlaceholder(id: string): boolean {
  return /^[0-]*.$/.test(id);
}
