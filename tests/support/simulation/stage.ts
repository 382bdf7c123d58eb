/**
 * The stage of a simulation: a clock that only moves when nothing else can, and workers that take their steps one at a
 * time, in an order drawn from the seed. A step is a database statement, a network request or a pause; between two
 * steps a worker is pure. So every interleaving can occur and be replayed, and a worker can be stopped between any two
 * of its steps.
 */
import { isAway } from "#app/db/patience.ts";
import type { Chance } from "./chance.ts";

/** Thrown inside a worker that has been stopped, at this step and at every later one. */
class Stopped extends Error {
  override name = "Stopped";
}

interface Turn {
  /** When it may be taken, ms. */
  at: number;
  take(): void;
  /** Settles when the step is over. */
  over: Promise<void>;
}

/** One invocation of the app: a request, the work it leaves for later, or a run of the job. */
export class Worker {
  readonly name: string;
  readonly turns: Turn[] = [];
  done = false;
  stopped = false;
  steps = 0;
  readonly #stage: Stage;
  /** The number of the step at which it is stopped; null means never. */
  readonly #lastStep: number | null;
  readonly #stopsBefore: boolean;

  constructor(stage: Stage, name: string, stop: { step: number; before: boolean } | null) {
    this.#stage = stage;
    this.name = name;
    this.#lastStep = stop?.step ?? null;
    this.#stopsBefore = stop?.before ?? false;
  }

  /** Waits for its turn and does `work`. If this worker is to be stopped here, it stops before or after the work. */
  async step<T>(work: () => Promise<T>): Promise<T> {
    this.#die();
    const finish = await this.#turn(this.#stage.now);
    try {
      this.steps += 1;
      const last = this.steps === this.#lastStep;
      if (last && this.#stopsBefore) this.#stop();
      this.#die();
      const result = await work();
      if (last) this.#stop();
      this.#die();
      return result;
    } finally {
      finish();
    }
  }

  /** Waits for `ms`. */
  async pause(ms: number): Promise<void> {
    this.#die();
    const finish = await this.#turn(this.#stage.now + ms);
    finish();
    this.#die();
  }

  #turn(at: number): Promise<() => void> {
    return new Promise((take) => {
      let finish = () => {};
      const over = new Promise<void>((resolve) => {
        finish = resolve;
      });
      this.turns.push({ at, over, take: () => take(finish) });
    });
  }

  #stop(): void {
    this.stopped = true;
    this.#stage.note(`${this.name} is stopped at step ${this.steps}`);
  }

  #die(): void {
    if (this.stopped) throw new Stopped(this.name);
  }
}

interface Entry {
  at: number;
  happen(): void;
}

/** A step that takes longer than this in real time hangs, in ms. */
const STEP_TIMEOUT_MS = 20_000;
/** How many turns of the microtask queue a worker may need from the answer to one step to the next step. */
const SETTLING_TURNS = 30;
/** After how many turns of the microtask queue a worker without a request is checked again by a timer. */
const TURNS_BEFORE_TIMER = 200;

export class Stage {
  now: number;
  readonly chance: Chance;
  /** What happened, line by line. */
  readonly story: string[] = [];
  /** Looks at the world after each step of a worker, named here. What it throws ends the play. */
  afterStep: (worker: string) => Promise<void> = async () => {};
  readonly #start: number;
  #workers: Worker[] = [];
  #agenda: Entry[] = [];
  #failures: unknown[] = [];

  constructor(start: number, chance: Chance) {
    this.now = start;
    this.#start = start;
    this.chance = chance;
  }

  note(line: string): void {
    this.story.push(`${((this.now - this.#start) / 1000).toFixed(1).padStart(9)} s  ${line}`);
  }

  /** Lets something happen `afterMs` from now. */
  later(afterMs: number, happen: () => void): void {
    this.#agenda.push({ at: this.now + afterMs, happen });
  }

  /** When the next event happens, in ms; null when there is none. */
  nextAt(): number | null {
    const times = [
      ...this.#agenda.map(({ at }) => at),
      ...this.#workers.flatMap(({ turns }) => turns.map(({ at }) => at)),
    ];
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Starts a worker. `risk`: the share of workers that are stopped somewhere within their first steps. */
  start(name: string, work: (worker: Worker) => Promise<unknown>, risk: number): void {
    const stop = this.chance.happens(risk)
      ? { step: this.chance.between(1, this.chance.happens(0.5) ? 10 : 30), before: this.chance.happens(0.5) }
      : null;
    const worker = new Worker(this, name, stop);
    this.#workers.push(worker);
    work(worker)
      .catch((error: unknown) => {
        // A request that finds the database away fails, and a job leaves the rest to its next run.
        if (!worker.stopped && !isAway(error)) this.#failures.push(error);
      })
      .finally(() => {
        worker.done = true;
      });
  }

  /**
   * Plays until nothing is left to do before `until` (ms), and sets the clock to it.
   * @throws the error of a worker that wasn't stopped, unless the database was away
   */
  async play(until: number): Promise<void> {
    for (;;) {
      this.#begin();
      await this.#settle();
      if (this.#failures.length > 0) throw this.#failures[0];
      const ready = this.#workers.flatMap((worker) =>
        worker.turns.filter(({ at }) => at <= this.now).map((turn) => ({ worker, turn })),
      );
      if (ready.length > 0) {
        const { worker, turn } = this.chance.pick(ready);
        worker.turns.splice(worker.turns.indexOf(turn), 1);
        turn.take();
        await turn.over;
        await this.afterStep(worker.name);
        continue;
      }
      const next = this.nextAt();
      if (next === null || next > until) break;
      this.now = Math.max(this.now, next);
    }
    this.now = Math.max(this.now, until);
  }

  #begin(): void {
    for (;;) {
      const due = this.#agenda.filter(({ at }) => at <= this.now);
      if (due.length === 0) return;
      this.#agenda = this.#agenda.filter(({ at }) => at > this.now);
      for (const entry of due.toSorted((a, b) => a.at - b.at)) entry.happen();
    }
  }

  /** Waits until every worker is done or waits for its turn. */
  async #settle(): Promise<void> {
    const isSettled = () => this.#workers.every((worker) => worker.done || worker.turns.length > 0);
    const startedAt = Date.now();
    // More turns where all seem settled: a worker may have been waiting on two steps at once.
    for (let hops = 0; hops < SETTLING_TURNS || !isSettled(); hops += 1) {
      if (hops % TURNS_BEFORE_TIMER === TURNS_BEFORE_TIMER - 1) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        if (Date.now() - startedAt > STEP_TIMEOUT_MS)
          throw new Error(
            `a worker hangs: ${this.#workers
              .filter(({ done, turns }) => !done && turns.length === 0)
              .map(({ name }) => name)
              .join(", ")}`,
          );
      } else {
        await Promise.resolve();
      }
    }
    this.#workers = this.#workers.filter(({ done }) => !done);
  }
}
