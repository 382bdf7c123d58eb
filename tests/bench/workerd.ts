import { readFileSync } from "node:fs";
import { runCommand } from "#scripts/command.ts";

/** The id of the workerd process that this process has started last. */
export async function findWorkerd(): Promise<number> {
  const { output } = await runCommand("ps", ["-o", "pid=,comm=", "--ppid", String(process.pid)]);
  const line = output.split("\n").findLast((text) => text.includes("workerd"));
  return Number(line?.trim().split(/\s+/)[0]);
}

/** CPU time so far, from Linux. */
export function readUsage(pid: number): { cpuMs: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * 10 };
}
