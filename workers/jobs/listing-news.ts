import { tellWishers } from "#app/basket/wish-alerts.server.ts";
import { findSearchesFor } from "#app/catalogue/saved/find-searches.server.ts";
import { deleteListingNews, findListingNews, type ListingNews } from "#app/catalogue/saved/listing-news.server.ts";
import { tellDaily, tellSavers } from "#app/catalogue/saved/tell-savers.server.ts";
import { oneByOne } from "#app/db/one-by-one.ts";
import { tellNotified } from "#app/notifications/notify.server.ts";
import type { Services } from "#app/request/services.ts";
import { keepForFollowers } from "#app/shops/follow-alerts.server.ts";

/** A run begins nothing more after so long, ms. The next one goes on. */
const RUN_MS = 20_000;

/** To ask all saved searches may take that long by itself. Then so much is left for telling what they found, ms. */
const TELL_MS = 10_000;

/**
 * A run goes on with the daily news until so many people may get an email of it. With the last batch they are fewer
 * than the news that a run sends (30).
 */
const DAILY_EMAILS_MAX = 15;

/**
 * Every minute: tells people of listings that have appeared, come back or become cheaper, and once a day what has
 * waited for the daily notification. A note goes once everybody has been told of it, so what a stopped run left is done
 * again, and tells nobody twice. A listing that fails doesn't stop the others.
 */
export async function runListingNewsJob(services: Services): Promise<void> {
  const end = services.now() + RUN_MS;
  let [listings, told] = [0, 0];
  while (services.now() < end) {
    const news = await findListingNews(services);
    const found = await findSearchesFor(
      services.db,
      news.map(({ productId }) => productId),
    );
    const tellUntil = Math.max(end, services.now() + TELL_MS);
    const done = await oneByOne(
      news,
      async (one) => {
        if (services.now() >= tellUntil) return;
        told += await tellNews(services, one, found.get(one.productId) ?? []);
        listings += 1;
      },
      ({ productId }, error) =>
        services.log({ event: "listing_news_failed", level: "error", productId, error: String(error) }),
    );
    // None is left, or none but what failed.
    if (done.length === 0) break;
  }
  let daily = 0;
  for (let emails = 0; emails < DAILY_EMAILS_MAX;) {
    const next = await tellDaily(services);
    if (next === null) break;
    emails += next.emails;
    daily += next.readers.length;
    await tellNotified(services, next.readers);
    if (services.now() >= end) break;
  }
  if (listings + daily > 0) services.log({ event: "listing_news_told", listings, told, daily });
}

/** Tells people of one listing, which these saved searches find. Returns how many it told. */
async function tellNews(
  services: Services,
  { productId, isNew, isCheaper, ids }: ListingNews,
  searches: readonly number[],
): Promise<number> {
  const readers = await tellSavers(services, productId, searches);
  if (isCheaper) readers.push(...(await tellWishers(services, productId)));
  if (isNew) await keepForFollowers(services, productId);
  await deleteListingNews(services, ids);
  await tellNotified(services, readers);
  return new Set(readers).size;
}
