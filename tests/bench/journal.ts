import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { CommandError } from "#scripts/command.ts";
import { ONE_IN } from "#workers/log.ts";

/** Work that no request of ours asked for, such as a callback, has ended when nothing was logged for so long, ms. */
const QUIET_MS = 500;
const WAIT_LIMIT_MS = 30_000;

const Logged = z.object({ event: z.string(), method: z.string().optional(), requests: z.number().default(1) });
const LoggedUse = Logged.extend({
  event: z.literal("use"),
  method: z.string(),
  path: z.string(),
  meter: z.record(z.string(), z.number()),
});

/** What the workers have logged so far, and the requests whose line is still to come. */
export class Journal {
  uses: z.infer<typeof LoggedUse>[] = [];
  /**
   * Lines that would be charged for: all but those that only this benchmark asks for. Where one line stands for several
   * requests, each of them counts as its share, because whether it is logged is left to chance.
   */
  get lines(): number {
    const gets = this.uses.filter(({ method }) => method === "GET").length;
    return this.#ownLines + (gets - this.#linesOfGets) / ONE_IN;
  }
  /** Lines that stand for nothing else, and how many of them are of GET requests. */
  #ownLines = 0;
  #linesOfGets = 0;
  #lastAt = 0;
  /** Requests without a "use" line so far, by method and path. Below 0 where the line came first. */
  readonly #open = new Map<string, number>();

  /** Notes that a request was sent. Its "use" line comes when all its work has ended, deferred work included. */
  sent(method: string, path: string): void {
    this.#count(`${method} ${path}`, 1);
  }

  note(message: string): void {
    this.#lastAt = performance.now();
    const logged = readJson(message);
    const use = LoggedUse.safeParse(logged);
    if (use.success) {
      this.uses.push(use.data);
      this.#count(`${use.data.method} ${use.data.path}`, -1);
      return;
    }
    const line = Logged.safeParse(logged);
    if (line.data?.requests !== 1) return;
    this.#ownLines += 1;
    if (line.data.event === "request" && line.data.method === "GET") this.#linesOfGets += 1;
  }

  /** Forgets what was logged. Call it when all is quiet. */
  clear(): void {
    this.uses = [];
    this.#ownLines = 0;
    this.#linesOfGets = 0;
    this.#open.clear();
  }

  /** Resolves when every request that was sent has its "use" line, and nothing more is logged. */
  async quiet(): Promise<void> {
    const since = performance.now();
    while (this.#openRequests().length > 0 || performance.now() - Math.max(since, this.#lastAt) < QUIET_MS) {
      if (performance.now() - since > WAIT_LIMIT_MS)
        throw new CommandError(`These requests have not ended: ${this.#openRequests().join(", ")}`);
      await pause(20);
    }
  }

  #count(request: string, change: number): void {
    this.#open.set(request, (this.#open.get(request) ?? 0) + change);
  }

  #openRequests(): string[] {
    return [...this.#open].filter(([, count]) => count > 0).map(([request]) => request);
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
