import { redirectWithFlash } from "#app/platform/flash.server.ts";
import type { Services } from "#app/request/services.ts";

/**
 * How long the message stays, in ms. It is longer than usual, because the buyer arrives on a screen that they didn't
 * ask for.
 */
const READING_MS = 8000;

/** Redirects a buyer who orders something again to their order that is being paid right now, and says why. */
export function redirectToPayment(services: Pick<Services, "flash">, orderId: string, text: string): Promise<Response> {
  return redirectWithFlash(services, `/checkout/${orderId}`, { kind: "info", text, duration: READING_MS });
}
