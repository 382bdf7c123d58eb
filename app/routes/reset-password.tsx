import { data } from "react-router";
import type { Route } from "./+types/reset-password.ts";
import { redirectAfterSignIn } from "#app/accounts/login/redirect-after-sign-in.server.ts";
import { isCommonPassword } from "#app/accounts/login/common-passwords.server.ts";
import { ResetPasswordForm } from "#app/accounts/components/reset-password-form.tsx";
import { networkOf } from "#app/platform/network.ts";
import { findReset, resetPassword } from "#app/accounts/login/password-reset.server.ts";
import { PASSWORD_TEXTS, RESET_OVER_TEXTS, SIGN_IN_TEXTS, UNDO_TEXTS } from "#app/accounts/login/account-rules.ts";
import { signInHeaders } from "#app/accounts/login/session.server.ts";
import { fieldErrors, resetForm } from "#app/accounts/profile/settings-forms.ts";
import { COMMON_PASSWORD_ERROR } from "#app/accounts/login/sign-up-rules.ts";
import { askSecondStep } from "#app/accounts/two-step/second-step.server.ts";
import type { Viewer } from "#app/accounts/viewer.server.ts";
import { requestContext, servicesContext, viewerContext } from "#app/request/context.ts";
import { AuthLayout } from "#app/accounts/components/auth-layout.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { TextLink } from "#app/ui/text-link.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

/**
 * The screen of the link in the email. It is open to everybody, logged in or not, because the link says whose password
 * it is.
 */
export function meta() {
  // The address holds the token, so no other site may learn it. ("no-referrer" would also remove the form's Origin
  // header.)
  return [...pageMeta("Choose a new password"), { name: "referrer", content: "same-origin" }];
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const token = searchParams.get("token") ?? "";
  const reset = await findReset(context.get(servicesContext), token);
  const isUndone = searchParams.has("undone");
  if (!reset.ok) return { token, over: reset.code, email: "", losesBusiness: false, signedInAs: null, isUndone };
  const { email, losesBusiness } = reset;
  const signedInAs = otherAccount(reset, context.get(viewerContext));
  return { token, over: null, email, losesBusiness, signedInAs, isUndone };
}

/** The email of another user who is logged in here. Their session would end, so the page asks first. */
function otherAccount(reset: Awaited<ReturnType<typeof findReset>>, viewer: Viewer | null): string | null {
  return reset.ok && viewer && reset.userId !== viewer.id ? viewer.email : null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const form = await request.formData();
  const parsed = resetForm.safeParse(Object.fromEntries(form));
  if (!parsed.success) return refuse(400, fieldErrors(parsed.error));
  if (await isCommonPassword(parsed.data.password)) return refuse(400, { password: COMMON_PASSWORD_ERROR });
  if (!(await services.limits.address(`reset:${networkOf(context.get(requestContext).address)}`)))
    return refuse(429, { password: SIGN_IN_TEXTS.busy });
  const signedInAs = otherAccount(await findReset(services, parsed.data.token), context.get(viewerContext));
  if (signedInAs !== null && !form.has("switches")) return data({ errors: {}, over: null, signedInAs }, 409);
  const result = await resetPassword(services, parsed.data);
  if (!result.ok) return data({ errors: {}, over: result.code, signedInAs: null }, 409);
  services.defer(services.notifier.endSessions(result.userId));
  services.drainOutbox();
  const asked = await askSecondStep(services, request, result, null);
  if (asked) return asked;
  const headers = await signInHeaders(services, request, result);
  return redirectAfterSignIn(services, result, headers, null, { text: PASSWORD_TEXTS.reset });
}

function refuse(status: number, errors: Record<string, string>) {
  return data({ errors, over: null, signedInAs: null }, status);
}

/** When no answer of ours arrives, the form keeps its values. The link may still work. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({
    errors: { password: SIGN_IN_TEXTS.connection },
    over: null,
    signedInAs: null,
  }));
}

export { AuthFailure as ErrorBoundary } from "#app/accounts/components/auth-layout.tsx";

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  const { email, losesBusiness, isUndone } = loaderData;
  const signedInAs = answer?.signedInAs ?? loaderData.signedInAs;
  const over = answer?.over ?? loaderData.over;
  if (over !== null) {
    return (
      <AuthLayout title="This link no longer works" lead={RESET_OVER_TEXTS[over]}>
        <LinkButton to="/auth/forgot" wide>
          Ask for a New Link
        </LinkButton>
        <p className="row">
          <TextLink to="/auth">Back to log in</TextLink>
        </p>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      title="Choose a new password"
      lead={
        <>
          For <strong>{email}</strong>. You'll be logged out on all other devices.
        </>
      }
    >
      {isUndone && <Callout tone="green">{UNDO_TEXTS.done}</Callout>}
      {losesBusiness && (
        <Callout tone="orange" title="This deletes the business of your sign-up">
          Your email isn't confirmed yet, so somebody else may have signed up with it. If that was you, don't choose a
          new password: log in with the one that you signed up with, and confirm your email.
        </Callout>
      )}
      <ResetPasswordForm token={loaderData.token} signedInAs={signedInAs} errors={answer?.errors ?? null} />
    </AuthLayout>
  );
}
