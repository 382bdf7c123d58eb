import { data } from "react-router";
import type { Route } from "./+types/unsubscribe.ts";
import { AuthLayout, LinkFailure } from "#app/accounts/components/auth-layout.tsx";
import { UnsubscribeView } from "#app/notifications/components/unsubscribe-view.tsx";
import { findEmailChoice, turnEmails } from "#app/notifications/settings.server.ts";
import { readUnsubscribeToken, type Unsubscribing } from "#app/notifications/unsubscribe-link.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { servicesContext } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { TextLink } from "#app/ui/text-link.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

/**
 * The screen of the link in an email that turns emails like it off. Opening it changes nothing, because mail programs
 * open links to look at them. Mail programs send its form by themselves (RFC 8058): without a cookie, and with a field
 * of their own.
 */
export function meta() {
  // The address holds the token.
  return [...pageMeta("Emails"), { name: "referrer", content: "same-origin" }, { name: "robots", content: "noindex" }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const asked = readLink(services, params.link);
  return { group: asked.group, choice: await findEmailChoice(services.db, asked) };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const asked = readLink(services, params.link);
  const on = (await request.formData()).get("emails") === "on";
  // Mail providers send from few addresses for many people, so the limit is the person's.
  if (!(await services.limits.write(asked.userId))) return data({ error: TOO_MANY_REQUESTS }, 429);
  await turnEmails(services, { ...asked, on });
  return { error: null };
}

function readLink({ passwordPepper }: Pick<Services, "passwordPepper">, link: string): Unsubscribing {
  const asked = readUnsubscribeToken(passwordPepper, link);
  if (!asked) throw data(null, { status: 404 });
  return asked;
}

/** Without an answer nothing is said to be changed. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({ error: "We couldn't save this. Please try again." }));
}

export default function Unsubscribe({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return (
    <AuthLayout>
      <UnsubscribeView {...loaderData} error={answer?.error ?? null} />
    </AuthLayout>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <LinkFailure error={error}>
      <TextLink to="/settings/notifications">Notification settings</TextLink>
    </LinkFailure>
  );
}
