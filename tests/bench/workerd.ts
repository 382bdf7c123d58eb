import { readFileSync } from "node:fs";
import { runCommand } from "#scripts/command.ts";

/** The id of the workerd process that this process has started last. */
export async function findWorkerd(): Promise<number> {
  const { output } = await runCommand("ps", ["-o", "pid=,comm=", "--ppid", String(process.pid)]);
  const line = output.split("\n").findLast((text) => text.includes("workerd"));
  return Number(line?.trim().split(/\s+/)[0]);
}

/** From Linux: CPU time so far, memory in use now, and the most so far. */
export function readUsage(pid: number): { cpuMs: number; mb: number; peakMb: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kilobytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]);
  return {
    cpuMs: (Number(fields[11]) + Number(fields[12])) * 10,
    mb: kilobytes("VmRSS") / 1024,
    peakMb: kilobytes("VmHWM") / 1024,
  };
}
