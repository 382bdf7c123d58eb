import { redirect } from "react-router";
import type { Services } from "#app/request/services.ts";

/** How long the message stands, ms: longer than usual, for the buyer has come to another screen than they asked for. */
const READING_MS = 8000;

/** Leads a buyer who orders something again to the order of theirs that is being paid for right now, and says why. */
export async function leadToPayment(
  { flash }: Pick<Services, "flash">,
  orderId: string,
  text: string,
): Promise<Response> {
  return redirect(`/checkout/${orderId}`, {
    headers: { "Set-Cookie": await flash.write({ kind: "info", text, duration: READING_MS }) },
  });
}
