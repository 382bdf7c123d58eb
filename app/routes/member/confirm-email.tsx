import { data, Form } from "react-router";
import type { Route } from "./+types/confirm-email.ts";
import { EMAIL_TEXTS } from "#app/accounts/login/account-rules.ts";
import { changeEmail, findEmailLink, isEmailChanged } from "#app/accounts/login/email-change.server.ts";
import { headersAfterChange } from "#app/accounts/login/session.server.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

const SETTINGS = "/profile?tab=settings";

/**
 * The screen of the link to a new address. The account that asked must be logged in: whoever else has the mailbox gets
 * nothing.
 */
export function meta() {
  // The address holds the token, so no other site may learn it.
  return [...pageMeta("Confirm your new email"), { name: "referrer", content: "same-origin" }];
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const services = context.get(servicesContext);
  const link = await findEmailLink(services, token);
  if (link?.userId === viewer.id) return { token, email: link.email, why: null, signedInAs: viewer.email };
  const why = (await isEmailChanged(services, viewer.id, token)) ? ("done" as const) : ("over" as const);
  return { token, email: null, why, signedInAs: viewer.email };
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  if (!(await services.limits.write(viewer.id))) return data({ error: "busy" as const }, 429);
  const token = (await request.formData()).get("token");
  const changed = await changeEmail(services, viewer.id, typeof token === "string" ? token : "");
  if (!changed.ok) return data({ error: changed.code }, 409);
  const headers = await headersAfterChange(services, request, {
    userId: viewer.id,
    epoch: changed.epoch,
    email: changed.email,
    confirmed: viewer.confirmed,
  });
  return redirectWithFlash(services, SETTINGS, { kind: "success", text: EMAIL_TEXTS.changed }, headers);
}

/** When no answer of ours arrives, the link may still work. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({ error: "lost" as const }));
}

export { Failure as ErrorBoundary } from "#app/ui/feedback/failure.tsx";

export default function ConfirmEmail({
  loaderData: { token, email, why, signedInAs },
  actionData,
}: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  const error = answer?.error ?? why;
  return (
    <div className="page page--form stack">
      <PageHeader
        title="Confirm your new email"
        lead={
          email !== null && (
            <>
              You'll log in with <strong>{email}</strong> instead of {signedInAs}. Your other devices are logged out.
            </>
          )
        }
      />
      {error !== null && (
        <Callout tone={error === "done" ? "green" : "red"} role="alert">
          {error === "busy" ? TOO_MANY_REQUESTS : EMAIL_TEXTS[error]}
        </Callout>
      )}
      {email === null ? (
        <>
          <p>You're logged in as {signedInAs}.</p>
          <LinkButton to={SETTINGS}>Open Settings</LinkButton>
          <Form method="post" replace action="/logout">
            <SubmitButton busyLabel="Logging out..." variant="soft">
              Log Out to Use Another Account
            </SubmitButton>
          </Form>
        </>
      ) : (
        <Form method="post" className="stack">
          <input type="hidden" name="token" value={token} />
          <SubmitButton busyLabel="Saving...">Use This Address</SubmitButton>
        </Form>
      )}
    </div>
  );
}
