import { data, redirect } from "react-router";
import type { Route } from "./+types/appeal.ts";
import { AuthLayout, LinkFailure } from "#app/accounts/components/auth-layout.tsx";
import { type AppealAnswer, AppealView } from "#app/moderation/cases/appeal-view.tsx";
import { findAppeal, sendAppeal } from "#app/moderation/cases/appeals.server.ts";
import { APPEAL_TEXTS } from "#app/moderation/cases/decision-words.ts";
import { networkOf } from "#app/platform/network.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requestContext, servicesContext } from "#app/request/context.ts";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { TextLink } from "#app/ui/text-link.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

/**
 * The screen of the link in the email about a decision. It is open to everybody who has the link, because a suspended
 * person can't log in.
 */
export function meta() {
  // The address holds the token, so no search engine and no other site may learn it.
  return [...pageMeta("Appeal"), { name: "referrer", content: "same-origin" }, { name: "robots", content: "noindex" }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  if (!(await services.limits.address(`appeal:${networkOf(context.get(requestContext).address)}`)))
    throw data(null, { status: 429 });
  const page = await findAppeal(services, params.token);
  if (!page) throw data(null, { status: 404 });
  return { page };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const sent = (await request.formData()).get("appeal");
  const typed = typeof sent === "string" ? sent : "";
  const refuse = (status: number, errors: AppealAnswer["errors"]) => data<AppealAnswer>({ errors, typed }, status);
  if (!(await services.limits.address(`appeal:${networkOf(context.get(requestContext).address)}`)))
    return refuse(429, { form: TOO_MANY_REQUESTS });
  if (!(await findAppeal(services, params.token))) throw data(null, { status: 404 });
  const appealed = await sendAppeal(services, { token: params.token, text: typed });
  if (appealed.ok) return redirect(`/appeals/${params.token}`);
  if (appealed.code === "over") return refuse(409, { form: APPEAL_TEXTS.over });
  return refuse(400, { appeal: APPEAL_TEXTS[appealed.code] });
}

/** A lost answer keeps what was typed. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, (): AppealAnswer => ({ errors: { form: APPEAL_TEXTS.failed }, typed: null }));
}

export default function Appeal({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return (
    <AuthLayout>
      <AppealView page={loaderData.page} answer={answer} />
    </AuthLayout>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <LinkFailure error={error}>
      <TextLink to="/support">Contact support</TextLink>
    </LinkFailure>
  );
}
