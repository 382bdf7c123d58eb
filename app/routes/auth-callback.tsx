import { useEffect, useRef } from "react";
import { data, Form, redirect, useNavigation } from "react-router";
import type { Route } from "./+types/auth-callback.ts";
import { welcomeIn } from "#app/accounts/arrival.server.ts";
import "#app/accounts/components/accounts.css";
import { confirmEmail } from "#app/accounts/confirmation.server.ts";
import { networkOf } from "#app/accounts/network.ts";
import { signInHeaders } from "#app/accounts/session.server.ts";
import { CALLBACK_ERRORS, CALLBACK_FAILED, CALLBACK_FAILED_MS } from "#app/accounts/sign-up-rules.ts";
import { requestContext, servicesContext, viewerContext } from "#app/context.ts";
import { AuthLayout } from "#app/ui/auth-layout.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/callout.tsx";
import { NO_ANSWER } from "#app/ui/no-answer.ts";
import { pageTitle } from "#app/ui/page-title.ts";
import { Spinner } from "#app/ui/spinner.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { toast } from "#app/ui/toast.ts";

export function meta() {
  return [{ title: pageTitle("Verifying account") }, { name: "robots", content: "noindex" }];
}

/** Only shows the page: mail scanners open links too, so nothing is spent before the page, or a person, sends its form. */
export function loader({ request }: Route.LoaderArgs) {
  return { token: new URL(request.url).searchParams.get("token") ?? "" };
}

/** Accounts spec §4, auth callback: what fails is shown, and may be tried again. */
export async function action(args: Route.ActionArgs) {
  try {
    return await enter(args);
  } catch (error) {
    args.context.get(servicesContext).log({ event: "callback_failed", level: "error", error: String(error) });
    return data({ error: CALLBACK_FAILED }, 500);
  }
}

/** A link signs in; without one the session counts, and without that there is nothing to do here. */
async function enter({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  if (!(await services.limits.address(`callback:${networkOf(context.get(requestContext).address)}`))) return data({ error: CALLBACK_ERRORS.busy }, 429);
  const form = await request.formData();
  const token = form.get("token");
  if (typeof token !== "string" || token === "") {
    const viewer = context.get(viewerContext);
    if (viewer) return welcomeIn(services, viewer);
    return form.get("fragment") ? data({ error: CALLBACK_ERRORS.no_token }, 400) : redirect("/auth");
  }
  const result = await confirmEmail(services, token);
  if (!result.ok) return data({ error: CALLBACK_ERRORS[result.code] }, 400);
  services.drainOutbox();
  const headers = await signInHeaders(services, request, result);
  headers.append("Set-Cookie", await services.pendingEmail.clear());
  return welcomeIn(services, result, headers);
}

/** No answer, or one that is not ours, is shown too, and may be tried again. Redirects go on. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response) throw error;
    return data({ error: CALLBACK_FAILED }, NO_ANSWER);
  }
}

/** Puts the token of a link whose secret stands after the "#", where servers never see it, into the form. */
function takeFragment(form: HTMLFormElement): void {
  const { hash } = window.location;
  const fragment = new URLSearchParams(hash.slice(1));
  const token = form.elements.namedItem("token");
  const mark = form.elements.namedItem("fragment");
  if (token instanceof HTMLInputElement) token.value ||= fragment.get("token") ?? fragment.get("access_token") ?? "";
  if (mark instanceof HTMLInputElement && hash.length > 1) mark.value = "yes";
}

export default function AuthCallback({ loaderData, actionData }: Route.ComponentProps) {
  const { state } = useNavigation();
  const form = useRef<HTMLFormElement>(null);
  const started = useRef(false);
  const error = actionData?.error;
  useEffect(() => {
    if (started.current || !form.current) return;
    started.current = true;
    takeFragment(form.current);
    form.current.requestSubmit();
  }, []);
  useEffect(() => {
    if (actionData?.error) toast.error(CALLBACK_FAILED, { duration: CALLBACK_FAILED_MS });
  }, [actionData]);

  const failed = error !== undefined && state === "idle";
  return (
    <AuthLayout title={failed ? "Authentication Error" : "Verifying account..."}>
      {failed && (
        <Callout tone="red" role="alert">
          {error}
        </Callout>
      )}
      <Form ref={form} method="post" replace className="stack">
        <input type="hidden" name="token" defaultValue={loaderData.token} />
        <input type="hidden" name="fragment" defaultValue="" />
        {failed ? (
          <>
            <LinkButton to="/auth" size="large" wide>
              Return to Login
            </LinkButton>
            <SubmitButton busyLabel="Verifying account..." variant="soft" tone="gray">
              Retry
            </SubmitButton>
          </>
        ) : (
          <Waiting />
        )}
      </Form>
      {failed && (
        <p className="quiet">
          Link too old? <TextLink to="/auth/check-email">Get a new one</TextLink>
        </p>
      )}
    </AuthLayout>
  );
}

/** The page sends its form by itself; where scripts do not run, a person does. */
function Waiting() {
  return (
    <>
      <p className="verifying" role="status">
        <Spinner />
        One moment, we are checking your link.
      </p>
      <noscript>
        <Button type="submit" size="large" wide>
          Confirm my email
        </Button>
      </noscript>
    </>
  );
}
