import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { explain } from "#scripts/failures.mjs";
import { root } from "#scripts/folders.ts";

export interface CommandResult {
  ok: boolean;
  /** Standard output and standard error, without colours. */
  output: string;
}

export interface CommandOptions {
  env?: Record<string, string>;
  /** The time limit in ms, after which the command and its children are killed. Default: ten minutes. */
  timeoutMs?: number;
}

/**
 * Runs one of the project's tools in the checkout's root and keeps its output. Never throws: for a tool that can't
 * start, fails or takes too long it returns `ok: false`.
 */
export function runCommand(
  name: string,
  args: string[],
  { env = {}, timeoutMs = 600_000 }: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((done) => {
    const { NO_COLOR: _, ...inherited } = process.env;
    const path = `${join(root, "node_modules", ".bin")}${delimiter}${inherited.PATH ?? ""}`;
    const child = spawn(name, args, {
      cwd: root,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...inherited, PATH: path, CI: "1", FORCE_COLOR: "0", ...env },
    });
    let output = "";
    const end = () => endGroup(child.pid);
    const timer = setTimeout(() => {
      output += `\n${name} took longer than ${timeoutMs / 1000} s and was ended.\n`;
      end();
    }, timeoutMs);
    process.once("exit", end);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    const finish = (ok: boolean) => {
      clearTimeout(timer);
      process.off("exit", end);
      done({ ok, output: stripVTControlCharacters(output) });
    };
    child.on("error", (error) => {
      output += `${name}: ${error.message}\n`;
      finish(false);
    });
    child.on("close", (code) => finish(code === 0));
  });
}

/** Kills a child process and everything it started. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGTERM");
  } catch {
    // It has already exited.
  }
}

/** A failure of the machine or the user, printed as one line without a stack. */
export class CommandError extends Error {}

/** Runs a command's main function. What goes wrong becomes sentences on standard error, and exit code 1. */
export async function runMain(main: () => Promise<void>): Promise<void> {
  // Exiting also stops the tools that are running.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));
  const fail = (error: unknown) => {
    console.error(sentencesOf(error));
    process.exit(1);
  };
  // Of what nobody waits for, such as a stream.
  process.once("uncaughtException", fail);
  await main().catch(fail);
}

/** What an error says to a person: what happened, and what to do. Only for what nobody expected, where it happened. */
export function sentencesOf(error: unknown): string {
  const chain = causesOf(error);
  const reason = explain(chain.map(({ message, code }) => `${code ?? ""} ${message}`).join("\n"));
  if (error instanceof CommandError || isWrongOption(error)) return [error.message, reason ?? []].flat().join("\n");
  const messages = chain.map(({ message }) => message).join(": ");
  if (reason !== null) return `${messages}\n${reason}`;
  const places = chain.map(({ stack }) => stack).join("\n");
  return `This was not expected: ${messages}\nRun it again. If it comes back, these lines help to find it:\n${places}`;
}

/** An error and what caused it. */
function causesOf(error: unknown): NodeJS.ErrnoException[] {
  if (error === undefined || error === null) return [];
  if (!(error instanceof Error)) return [new Error(String(error))];
  return [error, ...causesOf(error.cause)];
}

/** Whether `parseArgs` refused an option. */
function isWrongOption(error: unknown): error is Error {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS_");
}
