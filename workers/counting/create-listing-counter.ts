import type { ListingCounter as Counting } from "#app/upkeep/listing-counter.ts";
import type { ListingCounter } from "./listing-counter.ts";

/** What requests count with. A counter that can't be reached is logged; the count is lost. */
export function createListingCounter(
  counters: DurableObjectNamespace<ListingCounter>,
  logWith: (event: { event: string; error: string }) => void,
): Counting {
  async function add(listing: string, by: string | null): Promise<void> {
    try {
      await counters.getByName("all").add(listing, by);
    } catch (error) {
      logWith({ event: "count_lost", error: String(error) });
    }
  }
  return { view: (listing) => add(listing, null), message: add };
}
