import { data } from "react-router";
import type { Route } from "./+types/review.ts";
import { OrderFailure } from "#app/orders/components/order-failure.tsx";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { seeThings } from "#app/screens/notifications/see-things.server.ts";
import { DealReviewsView } from "#app/reviews/components/deal-reviews-view.tsx";
import type { ReviewAnswer } from "#app/reviews/review-forms.ts";
import { findReviewPage } from "#app/reviews/review-page.server.ts";
import { REVIEW_TEXTS } from "#app/reviews/review-texts.ts";
import { reviewAction } from "#app/screens/actions/review-action.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { passOn, reloadsOnConflict } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta(loaderData ? `Reviews: ${loaderData.item.name}` : "Order Not Found");
}

export const shouldRevalidate = reloadsOnConflict;

/** The reviews of one deal, for its buyer and its seller. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const now = services.now();
  const page = await findReviewPage(services.db, { itemId: params.itemId, viewerId: viewer.id, now });
  if (!page) throw data(null, { status: 404 });
  seeThings(services, viewer, request, [`item:${params.itemId}`]);
  return { ...page, now };
}

export const action = (args: Route.ActionArgs) => reviewAction(args, args.params.itemId);

/** Keeps the form when no answer arrives. Every action here is safe to repeat. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const intent = String((await request.clone().formData()).get("intent"));
  return passOn(serverAction, (): ReviewAnswer => ({ intent, errors: { form: REVIEW_TEXTS.failed } }));
}

export default function Review({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <DealReviewsView key={loaderData.item.id} {...loaderData} answer={answer} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <OrderFailure error={error} action={<LinkButton to="/profile?tab=orders">My Orders</LinkButton>} />;
}
