import { data, redirect } from "react-router";
import type { Route } from "./+types/person-reviews.ts";
import { withReturnPath } from "#app/accounts/login/account-rules.ts";
import { screenPath } from "#app/request/screen-path.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";
import { PersonReviewsView } from "#app/reviews/components/person-reviews-view.tsx";
import { findPersonReviews } from "#app/reviews/find-reviews.server.ts";
import { personReviewsTitle } from "#app/reviews/review-texts.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta(loaderData ? personReviewsTitle(loaderData.person.name, loaderData.as) : "Reviews");
}

/** The reviews of a seller are public, like the seller's page. Those of a buyer are for members. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const url = new URL(request.url);
  const viewer = context.get(viewerContext);
  const as = url.searchParams.get("as") === "buyer" ? "buyer" : "seller";
  if (as === "buyer" && !viewer?.profileComplete)
    throw redirect(withReturnPath(viewer ? "/complete-profile" : "/auth", screenPath(request)));
  const page = await findPersonReviews(context.get(servicesContext), {
    personId: params.userId,
    as,
    after: url.searchParams.get("after"),
    viewerId: viewer?.id ?? null,
  });
  if (!page) throw data(null, { status: 404 });
  return page;
}

export default function PersonReviews({ loaderData }: Route.ComponentProps) {
  return <PersonReviewsView key={`${loaderData.person.id} ${loaderData.as}`} page={loaderData} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const missing = {
    icon: "star",
    title: "No reviews here",
    sentence: "This person does not exist, or has closed their account.",
    action: <LinkButton to="/studentmarketplace">Back to Marketplace</LinkButton>,
  } as const;
  return <ScreenFailed title="We couldn't load these reviews" error={error} missing={missing} />;
}
