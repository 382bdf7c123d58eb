import { redirect } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/manage-product.ts";
import { lowerPrice } from "#app/basket/lower-price.server.ts";
import { LISTING_ANSWERS } from "#app/catalogue/selling/listing-answers.ts";
import { LISTING_TEXTS } from "#app/catalogue/selling/listing-texts.ts";
import { loweredText, LOWERING_TEXTS } from "#app/catalogue/selling/lower-price-rules.ts";
import { readStock, stockChangedText, stockReservedText } from "#app/catalogue/selling/listing-stock-rules.ts";
import { deleteListing, setListingStatus, setListingStock } from "#app/catalogue/selling/listings.server.ts";
import { formNumber } from "#app/platform/form-number.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { answerOrReturn } from "#app/screens/actions/answer-or-return.server.ts";
import { formatKes } from "#app/ui/money.ts";
import { passOn } from "#app/ui/feedback/no-answer.ts";

const form = z.discriminatedUnion("intent", [
  // `seen`: the `updatedAt` of the listing that the seller saw.
  z.object({
    intent: z.literal("status"),
    status: z.enum(["active", "sold", "out_of_stock"]),
    seen: formNumber().optional(),
  }),
  z.object({ intent: z.literal("delete") }),
  // `seen`: the price that the seller saw, in KES.
  z.object({ intent: z.literal("lower"), seen: formNumber() }),
  // `seen`: the number that the seller saw. `stock`: what the pressed button asks for; otherwise `typed` counts.
  z.object({
    intent: z.literal("stock"),
    seen: formNumber(),
    stock: z.string().max(9).optional(),
    typed: z.string().max(9).default(""),
  }),
]);

export function loader({ params }: Route.LoaderArgs) {
  return redirect(`/product/${params.productId}`);
}

/**
 * Changes the status, the stock or the price of a listing, or deletes it. A script gets `{ ok, message, madeAt }`,
 * where `madeAt` is the time of the change in ms, and the `stock` or `status` as it is now. A form sent without scripts
 * names in `from` the page to go back to.
 */
export async function action({ request, params, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const fields = Object.fromEntries(await request.formData());
  const parsed = form.safeParse(fields);
  const answered = answerOrReturn(services, fields);
  const answer = (ok: boolean, message: string, status: number, more = {}) =>
    answered(ok, message, status, { madeAt: services.now(), ...more });
  if (!parsed.success) return answer(false, failedText(fields.intent), 400);
  if (!(await services.limits.write(viewer.id))) return answer(false, TOO_MANY_REQUESTS, 429);
  const product = { sellerId: viewer.id, productId: params.productId };
  if (parsed.data.intent === "delete") {
    const deleted = await deleteListing(services, product);
    return answer(deleted, deleted ? LISTING_ANSWERS.deleted : LISTING_TEXTS.delete_failed, deleted ? 200 : 404);
  }
  if (parsed.data.intent === "lower") {
    const lowered = await lowerPrice(services, { ...product, seen: parsed.data.seen });
    if (lowered.ok) return answer(true, loweredText(formatKes(lowered.price), lowered.savers), 200);
    if (lowered.code === "not_found") return answer(false, LOWERING_TEXTS.failed, 404);
    return answer(false, LOWERING_TEXTS[lowered.code], 409);
  }
  if (parsed.data.intent === "stock") {
    const stock = readStock(parsed.data.stock ?? parsed.data.typed, 0);
    if (typeof stock === "string") return answer(false, stock, 400);
    const set = await setListingStock(services, { ...product, seen: parsed.data.seen, stock });
    if (set.ok) return answer(true, LISTING_ANSWERS.stock, 200, { stock: set.stock });
    if (set.code === "not_found") return answer(false, LISTING_TEXTS.stock_failed, 404);
    const message = set.code === "stock_reserved" ? stockReservedText(set.reserved) : stockChangedText(set.stock);
    return answer(false, message, 409, { stock: set.stock });
  }
  const { status, seen } = parsed.data;
  const set = await setListingStatus(services, { ...product, status, seen });
  if (set.ok) {
    const isSeen = status !== "active" || !set.isHidden;
    return answer(true, isSeen ? LISTING_ANSWERS.status[status] : LISTING_ANSWERS.hidden, 200, {
      madeAt: set.updatedAt,
    });
  }
  if (set.code === "changed")
    return answer(false, LISTING_ANSWERS.meanwhile, 409, { status: set.status, madeAt: set.updatedAt });
  return set.code === "needs_stock"
    ? answer(false, LISTING_ANSWERS.needs_stock, 409, { code: set.code })
    : answer(false, LISTING_TEXTS.status_failed, 404);
}

function failedText(intent: unknown): string {
  if (intent === "lower") return LOWERING_TEXTS.failed;
  return intent === "stock" ? LISTING_TEXTS.stock_failed : LISTING_TEXTS.status_failed;
}

/** A lost answer leaves the screen with the form as it is. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({ ok: false, message: LISTING_TEXTS.status_failed }));
}
