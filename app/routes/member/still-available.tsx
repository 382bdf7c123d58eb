import { data } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/still-available.ts";
import { LISTING_ANSWERS } from "#app/catalogue/selling/listing-answers.ts";
import { LISTING_TEXTS } from "#app/catalogue/selling/listing-texts.ts";
import { setListingStatus } from "#app/catalogue/selling/listings.server.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { formNumber } from "#app/platform/form-number.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { seeThings } from "#app/screens/notifications/see-things.server.ts";
import type { Services } from "#app/request/services.ts";
import { StillAvailableView } from "#app/upkeep/components/still-available-view.tsx";
import { listUnanswered, lowerListingPrice, renewListings } from "#app/upkeep/still-available.server.ts";
import { passOn, reloadsOnConflict } from "#app/ui/feedback/no-answer.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { useFailureToast } from "#app/ui/feedback/use-result-toast.ts";
import { formatKes } from "#app/ui/money.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Still Available?");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const listings = await listUnanswered(services, viewer.id);
  seeThings(
    services,
    viewer,
    request,
    listings.map(({ id }) => `product:${id}` as const),
  );
  return { listings };
}

/** Where a listing has changed meanwhile, the page shows how it is now. */
export const shouldRevalidate = reloadsOnConflict;

const productId = z.string().max(36);
const form = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("renew"), productIds: z.array(productId).min(1).max(200) }),
  z.object({ intent: z.literal("lower"), productIds: z.tuple([productId]), price: formNumber() }),
  z.object({ intent: z.literal("sold"), productIds: z.tuple([productId]) }),
]);

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const sent = await request.formData();
  const parsed = form.safeParse({ ...Object.fromEntries(sent), productIds: sent.getAll("productId") });
  if (!parsed.success) return data({ error: LISTING_TEXTS.status_failed }, 400);
  if (!(await services.limits.write(viewer.id))) return data({ error: TOO_MANY_REQUESTS }, 429);
  const done = await applyAnswer(services, viewer.id, parsed.data);
  if (done === null) return data({ error: LISTING_ANSWERS.meanwhile }, 409);
  return redirectWithFlash(services, "/myshop/still-available", { kind: "success", text: done });
}

/** What the seller reads when it is done; null when the listing isn't as they saw it. */
async function applyAnswer(services: Services, sellerId: string, asked: z.infer<typeof form>): Promise<string | null> {
  const { productIds } = asked;
  if (asked.intent === "renew") {
    const renewed = await renewListings(services, { sellerId, productIds });
    if (renewed === 0) return null;
    return renewed === 1 ? "Thanks! Buyers can see it." : `Thanks! Buyers can see these ${renewed} listings.`;
  }
  const [id] = asked.productIds;
  if (asked.intent === "lower") {
    const price = await lowerListingPrice(services, { sellerId, productId: id, seen: asked.price });
    return price === null ? null : `The price is ${formatKes(price)} now`;
  }
  const set = await setListingStatus(services, { sellerId, productId: id, status: "sold" });
  return set.ok ? LISTING_ANSWERS.status.sold : null;
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({ error: LISTING_TEXTS.status_failed }));
}

export default function StillAvailable({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  useFailureToast(answer, answer?.error);
  return <StillAvailableView listings={loaderData.listings} error={answer?.error ?? null} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load your listings" />;
}
