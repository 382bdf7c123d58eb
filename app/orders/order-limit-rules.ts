/** The limits of orders. */
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** How long an order waits for its payment, in ms. Then the job closes it. */
export const UNPAID_ORDER_LIFE_MS = DAY_MS;

/** The most products of which one order may take the last piece. Nobody else can pay for them in the meantime. */
export const LAST_PIECES_MAX = 10;

/** How many pieces that cost nothing one person can take in 24 hours. Otherwise one account could take them all. */
export const FREE_PIECES_A_DAY = 5;
