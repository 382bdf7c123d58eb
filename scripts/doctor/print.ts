import type { Environment } from "#scripts/environment.ts";
import { DOCTOR_CHECKS, type Finding } from "#app/admin/operations/doctor-rules.ts";

/** The commands and places of the rehearsal are its own. */
function fixFor(fix: string, environment: Environment): string {
  return environment === "production"
    ? fix
    : fix
        .replaceAll("--env production", `--env ${environment}`)
        .replaceAll("[env.production]", `[env.${environment}]`)
        .replaceAll("npm run deploy", `npm run deploy -- --${environment}`)
        .replaceAll("production certificate", "sandbox certificate");
}

const MARKS = { ok: "✓", bad: "✗", unknown: "?" } as const;
const WIDTH = Math.max(...Object.values(DOCTOR_CHECKS).map(({ name }) => name.length));

/** A finding as it is printed: its line, and what to do where something is wrong. */
export function lineOf({ check, state, fact }: Finding, environment: Environment): string {
  const { name, fix } = DOCTOR_CHECKS[check];
  const line = `${MARKS[state]} ${name.padEnd(WIDTH)}  ${fact}`;
  return state === "bad" ? `${line}\n  → ${fixFor(fix, environment)}` : line;
}
