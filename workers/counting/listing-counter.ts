import { DurableObject } from "cloudflare:workers";
import { newMark } from "#app/db/batch.ts";
import { dayOf } from "#app/platform/east-africa-time.ts";
import { addCounts, type Counted } from "#app/upkeep/listing-days.server.ts";
import type { Env } from "#workers/env.ts";
import { log } from "#workers/log.ts";
import { openDatabaseOf } from "#workers/services.ts";
import { HOUR_MS, MINUTE_MS } from "#app/platform/duration-rules.ts";

/** How long counts are only in memory, ms: what a crash can lose. Less than an idle object stays in memory. */
const SAVE_AFTER_MS = 10_000;
/** How often counts go to the database, ms. */
const WRITE_EVERY_MS = HOUR_MS;
/** How soon after a failure they are sent again, ms. Within the hour in which the database knows its marks. */
const AGAIN_MS = 5 * MINUTE_MS;
/** With so many counts the hour is over, because a stored value has at most 2 MB. */
const COUNTS_MAX = 8_000;

/** Counts under the mark with which they are added, so that they are added once. */
interface Lot {
  mark: number;
  counts: Counted[];
}

/**
 * Collects the views of all listings, and writes one row for each listing that had some in the hour. One object counts
 * for everybody. Its own storage gets one value every ten seconds, however many views there are.
 */
export class ListingCounter extends DurableObject<Env> {
  /** By day, listing and writer. Null until the first count has read what is stored. */
  #counts: Map<string, Counted> | null = null;
  #saving: ReturnType<typeof setTimeout> | null = null;

  async add(listing: string, by: string | null): Promise<void> {
    this.#counts ??= await this.#stored();
    const day = dayOf(Date.now());
    const key = `${day} ${listing} ${by}`;
    const known = this.#counts.get(key) ?? { day, listing, by, views: 0, messages: 0 };
    if (by === null) known.views += 1;
    else known.messages += 1;
    this.#counts.set(key, known);
    this.#saving ??= setTimeout(() => void this.save(), SAVE_AFTER_MS);
  }

  /** Keeps what was counted, and sees to it that it is written within the hour. */
  async save(): Promise<void> {
    if (this.#saving !== null) clearTimeout(this.#saving);
    this.#saving = null;
    if (this.#counts === null) return;
    const counts = [...this.#counts.values()];
    await this.ctx.storage.put("counts", counts);
    const due = await this.ctx.storage.getAlarm();
    if (counts.length >= COUNTS_MAX) await this.ctx.storage.setAlarm(Date.now());
    else if (due === null) await this.ctx.storage.setAlarm(Date.now() + WRITE_EVERY_MS);
  }

  /** Writes the counts of the hour. If that fails, the same lot is sent again, and later counts wait. */
  override async alarm(): Promise<void> {
    const lot = (await this.ctx.storage.get<Lot>("lot")) ?? (await this.#startLot());
    if (lot === null) return;
    try {
      await addCounts(openDatabaseOf(this.env), lot.mark, lot.counts, Date.now());
      await this.ctx.storage.delete("lot");
      if ((this.#counts?.size ?? 0) > 0) await this.ctx.storage.setAlarm(Date.now() + WRITE_EVERY_MS);
    } catch (error) {
      log({
        event: "counts_not_written",
        level: "error",
        counts: lot.counts.length,
        error: String(error).slice(0, 200),
      });
      await this.ctx.storage.setAlarm(Date.now() + AGAIN_MS);
    }
  }

  /** Moves the counts into a lot of their own, in one transaction. Null when there are none. */
  async #startLot(): Promise<Lot | null> {
    const counts = [...(this.#counts ?? (await this.#stored())).values()];
    if (counts.length === 0) return null;
    const lot = { mark: newMark(), counts };
    this.#counts = new Map();
    await this.ctx.storage.put({ lot, counts: [] });
    return lot;
  }

  async #stored(): Promise<Map<string, Counted>> {
    const counts = (await this.ctx.storage.get<Counted[]>("counts")) ?? [];
    return this.#counts ?? new Map(counts.map((count) => [`${count.day} ${count.listing} ${count.by}`, count]));
  }
}
