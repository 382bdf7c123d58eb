/**
 * `npm run admin`: who is an admin, for the operator. On the local database, with `--remote` on production's,
 * or with `--staging` on the rehearsal's.
 *
 *     npm run admin -- list
 *     npm run admin -- set EMAIL support|finance|owner
 *     npm run admin -- remove EMAIL
 *     npm run admin -- reset EMAIL        turns off their two-step login
 */
import { parseArgs } from "node:util";
import { z } from "zod";
import { normalizeEmail } from "#app/accounts/login/account-rules.ts";
import { ADMIN_ROLES } from "#app/db/states/admin.ts";
import { LIST_SQL, personSql, resetSql, roleSql } from "#scripts/admin-sql.ts";
import { CommandError, runMain } from "#scripts/command.ts";
import { stateFolder } from "#scripts/folders.ts";
import { environmentOf, STAGING_OPTION } from "#scripts/environment.ts";
import { databaseOfWrangler, deployedDatabase } from "#scripts/wrangler.ts";

const USAGE =
  "npm run admin -- list | set EMAIL support|finance|owner | remove EMAIL | reset EMAIL   [--remote | --staging]";
const LOCAL = ["--local", "--persist-to", stateFolder(), "--config", "wrangler.toml"];

const rows = z.array(z.object({ email: z.string(), name: z.string(), role: z.enum(ADMIN_ROLES) }));
const people = z.array(z.object({ id: z.string(), name: z.string(), role: z.enum(ADMIN_ROLES).nullable() }));

await runMain(async () => {
  const { values, positionals } = parseArgs({
    options: { remote: { type: "boolean", default: false }, ...STAGING_OPTION },
    allowPositionals: true,
  });
  const isLocal = !values.remote && !values.staging;
  const database = isLocal ? databaseOfWrangler(...LOCAL) : deployedDatabase(environmentOf(values));
  const [verb = "", typed = "", wanted = ""] = positionals;
  if (verb === "list") {
    const admins = rows.parse(await database.query(LIST_SQL));
    for (const { role, email, name } of admins) console.log(`${role.padEnd(8)} ${email}  ${name}`);
    return;
  }
  const role = verb === "set" ? z.enum(ADMIN_ROLES).safeParse(wanted) : null;
  if (!["set", "remove", "reset"].includes(verb) || !typed.includes("@") || role?.success === false)
    throw new CommandError(USAGE);
  const email = normalizeEmail(typed);
  const [person] = people.parse(await database.query(personSql(email)));
  if (!person) throw new CommandError(`Nobody with the email ${email} can log in. They sign up and confirm it first.`);
  const { id: userId, role: was } = person;
  if (verb === "remove" && was === null) throw new CommandError(`${email} is no admin.`);
  if (was === "owner" && verb !== "reset" && role?.data !== "owner") {
    const owners = rows.parse(await database.query(LIST_SQL)).filter((admin) => admin.role === "owner");
    if (owners.length === 1) throw new CommandError(`${email} is the last owner. Make somebody else an owner first.`);
  }
  const now = Date.now();
  const statements = verb === "reset" ? resetSql(userId, now) : roleSql({ userId, was, role: role?.data ?? null }, now);
  await database.run("admin.sql", `${statements.join(";\n")};\n`);
  console.log(
    verb === "reset" ? `${email} logs in with the password alone.` : `${email}: ${role?.data ?? "no admin"}.`,
  );
});
