import { data, Form } from "react-router";
import type { Route } from "./+types/undo-email.ts";
import { EMAIL_TEXTS, SIGN_IN_TEXTS } from "#app/accounts/account-rules.ts";
import { AuthLayout } from "#app/accounts/components/auth-layout.tsx";
import { removeDocuments } from "#app/accounts/erase.server.ts";
import { findEmailLink, undoEmailChange } from "#app/accounts/email-change.server.ts";
import { maskEmail } from "#app/accounts/sign-up-rules.ts";
import { networkOf } from "#app/platform/network.ts";
import { requestContext, servicesContext } from "#app/request/context.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

/** The screen of the link to the old address. It is open to everybody, because its owner can no longer log in. */
export function meta() {
  // The address holds the token, so no other site may learn it.
  return [...pageMeta("Keep your email"), { name: "referrer", content: "same-origin" }];
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const link = await findEmailLink(context.get(servicesContext), { token, purpose: "email_undo" });
  return { token, email: link && maskEmail(link.email) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  if (!(await services.limits.address(`undo-email:${networkOf(context.get(requestContext).address)}`)))
    return data({ undone: null, error: SIGN_IN_TEXTS.busy }, 429);
  const token = (await request.formData()).get("token");
  const undone = await undoEmailChange(services, typeof token === "string" ? token : "");
  if (!undone.ok) return data({ undone: null, error: EMAIL_TEXTS[undone.code] }, 409);
  services.defer(services.notifier.endSessions(undone.userId));
  services.defer(removeDocuments(services, undone.documentKeys));
  services.drainOutbox();
  return data({ undone: maskEmail(undone.email), error: null });
}

/** When no answer of ours arrives, the link may still work. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({ undone: null, error: EMAIL_TEXTS.lost }));
}

export { AuthFailure as ErrorBoundary } from "#app/accounts/components/auth-layout.tsx";

export default function UndoEmail({ loaderData: { token, email }, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  if (answer?.undone)
    return (
      <AuthLayout
        title="Your email is safe"
        lead={
          <>
            <strong>{answer.undone}</strong> is the email of your account, and everybody is logged out. We've emailed
            you a link to choose a new password.
          </>
        }
      >
        <p className="quiet">
          The link works for one hour. Please check your M-Pesa number in Settings after the login.
        </p>
        <LinkButton to="/auth/forgot" variant="soft">
          Send Another Link
        </LinkButton>
      </AuthLayout>
    );
  if (email === null)
    return (
      <AuthLayout title="This link no longer works" lead={EMAIL_TEXTS.over}>
        <p>
          If somebody changed the email of your account, <TextLink to="/support">write to us</TextLink>.
        </p>
      </AuthLayout>
    );
  return (
    <AuthLayout
      title="Keep your email?"
      lead={
        <>
          <strong>{email}</strong> is the email of your account again. Everybody is logged out, the password stops
          working, and we email you a link to choose a new one. A passkey or an app for codes that was added since the
          day before the change stops working, too.
        </>
      }
    >
      {answer?.error && (
        <Callout tone="red" role="alert">
          {answer.error}
        </Callout>
      )}
      <Form method="post" className="stack">
        <input type="hidden" name="token" value={token} />
        <SubmitButton busyLabel="One moment...">Keep My Email</SubmitButton>
      </Form>
    </AuthLayout>
  );
}
