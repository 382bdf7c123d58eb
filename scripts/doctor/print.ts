import { DOCTOR_CHECKS, type Finding } from "#app/admin/operations/doctor-rules.ts";

const MARKS = { ok: "✓", bad: "✗", unknown: "?" } as const;
const WIDTH = Math.max(...Object.values(DOCTOR_CHECKS).map(({ name }) => name.length));

/** A finding as it is printed: its line, and what to do where something is wrong. */
export function lineOf({ check, state, fact }: Finding): string {
  const { name, fix } = DOCTOR_CHECKS[check];
  const line = `${MARKS[state]} ${name.padEnd(WIDTH)}  ${fact}`;
  return state === "bad" ? `${line}\n  → ${fix}` : line;
}
