import { redirect } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/manage-product.ts";
import { safeReturnPath } from "#app/accounts/account-rules.ts";
import { LISTING_TEXTS } from "#app/catalogue/listing-texts.ts";
import { deleteListing, setListingStatus } from "#app/catalogue/listings.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";

const form = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("status"), status: z.enum(["active", "sold", "out_of_stock"]) }),
  z.object({ intent: z.literal("delete") }),
]);

export function loader({ params }: Route.LoaderArgs) {
  return redirect(`/product/${params.productId}`);
}

/**
 * Changes the status of a listing, or deletes it. A script gets `{ ok, message, madeAt }`, where `madeAt` is the time of the change
 * in ms. A form sent without scripts names in `from` the page to go back to.
 */
export async function action({ request, params, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const fields = Object.fromEntries(await request.formData());
  const parsed = form.safeParse(fields);
  const from = safeReturnPath(typeof fields.from === "string" ? fields.from : null);
  const answer = async (ok: boolean, message: string, status: number) => {
    if (!from) return Response.json({ ok, message, madeAt: services.now() }, { status });
    return redirect(from, {
      headers: { "Set-Cookie": await services.flash.write({ kind: ok ? "success" : "error", text: message }) },
    });
  };
  if (!parsed.success) return answer(false, LISTING_TEXTS.status_failed, 400);
  if (!(await services.limits.write(viewer.id))) return answer(false, TOO_MANY_REQUESTS, 429);
  const product = { sellerId: viewer.id, productId: params.productId };
  if (parsed.data.intent === "delete") {
    const deleted = await deleteListing(services, product);
    return answer(deleted, deleted ? LISTING_TEXTS.deleted : LISTING_TEXTS.delete_failed, deleted ? 200 : 404);
  }
  const changed = await setListingStatus(services, { ...product, status: parsed.data.status });
  return answer(changed, changed ? LISTING_TEXTS.status : LISTING_TEXTS.status_failed, changed ? 200 : 404);
}
