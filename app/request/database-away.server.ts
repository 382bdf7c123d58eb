/** For the routes that say what is known of a payment while the database is away. */
export { isAway } from "#app/db/patience.ts";
