/** Times in which the database is away, as public reports tell of D1: for seconds, up to a minute and a half. */
import type { Stage } from "./stage.ts";

const SECOND = 1000;

export class Stalls {
  readonly #stage: Stage;
  readonly #times: { from: number; until: number }[];

  constructor(stage: Stage, times: { from: number; until: number }[]) {
    this.#stage = stage;
    this.#times = times;
  }

  /** Up to three stalls within `lengthMs` from `from` (ms since 1970), in a third of all plays. */
  static draw(stage: Stage, from: number, lengthMs: number): Stalls {
    const { chance } = stage;
    const count = chance.happens(0.35) ? chance.between(1, 3) : 0;
    const times = Array.from({ length: count }, () => {
      // Half of them while people order and pay.
      const within = chance.happens(0.5) ? lengthMs : lengthMs / 8;
      const at = from + chance.between(0, within / SECOND) * SECOND;
      return { from: at, until: at + chance.pick([5, 30, 90]) * SECOND };
    });
    for (const { from: at, until } of times)
      stage.later(at - stage.now, () => stage.note(`the database is away for ${(until - at) / SECOND} s`));
    return new Stalls(stage, times);
  }

  /** Does `work`, unless the database is away. Then it is refused, or done although its answer is lost. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    const { now, chance } = this.#stage;
    if (!this.#times.some(({ from, until }) => from <= now && now < until)) return work();
    if (chance.happens(0.3)) {
      await work();
      this.#stage.note("a call is done, and its answer is lost");
    }
    throw new Error("D1_ERROR: Network connection lost.");
  }
}
