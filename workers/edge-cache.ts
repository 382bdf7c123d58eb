import type { Services } from "#app/request/services.ts";

/** When a kept answer was made, ms since 1970. Only the cache's own copies have this header. */
const MADE_AT = "X-Made-At";

/** The cache of the data centre that answers. What one visitor asked for is then there for the next one nearby. */
export interface EdgeCache {
  /** The kept answer, with a `Cache-Control` that was meant for the cache; undefined where there is none. */
  find(key: string): Promise<Response | undefined>;
  /**
   * Keeps a copy of an answer, after the response was sent.
   * @param madeAt when its data was read or about to be read, ms since 1970
   */
  keep(key: string, response: Response, madeAt: number): void;
}

/**
 * A cache that fails costs time and never an answer: a failure is logged, and counts as not found.
 *
 * @param origin of the app. Keys are its addresses, with a query that says what else the answer depends on.
 * @param seconds how old a kept answer may be
 */
export function openEdgeCache(
  { origin, seconds }: { origin: string; seconds: number },
  { log, defer, now }: Pick<Services, "log" | "defer" | "now">,
): EdgeCache {
  // The browser's types, which hide those of Workers here, don't know this cache.
  const { default: cache } = caches as CacheStorage & { default: Cache };
  const failed = (error: unknown) =>
    log({ event: "edge_cache_failed", level: "error", error: error instanceof Error ? error.message : String(error) });
  return {
    async find(key) {
      try {
        const kept = await cache.match(new URL(key, origin));
        const age = now() - Number(kept?.headers.get(MADE_AT));
        return kept && age >= 0 && age < seconds * 1000 ? withHeaders(kept, { [MADE_AT]: null }) : undefined;
      } catch (error) {
        failed(error);
        return undefined;
      }
    },
    keep(key, response, madeAt) {
      const copy = withHeaders(response.clone(), {
        "Cache-Control": `public, max-age=${seconds}`,
        [MADE_AT]: String(madeAt),
      });
      const keeping = async () => cache.put(new URL(key, origin), copy);
      defer(keeping().catch(failed));
    },
  };
}

/** A copy with other headers; null removes one. */
export function withHeaders(response: Response, changes: Record<string, string | null>): Response {
  const copy = new Response(response.body, response);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) copy.headers.delete(name);
    else copy.headers.set(name, value);
  }
  return copy;
}
