import { data } from "react-router";
import type { Route } from "./+types/reset-password.ts";
import { welcomeIn } from "#app/accounts/arrival.server.ts";
import { ResetPasswordForm } from "#app/accounts/components/reset-password-form.tsx";
import { networkOf } from "#app/platform/network.ts";
import { findReset, resetPassword } from "#app/accounts/password-reset.server.ts";
import { PASSWORD_TEXTS, SIGN_IN_TEXTS } from "#app/accounts/rules.ts";
import { signInHeaders } from "#app/accounts/session.server.ts";
import { fieldErrors, resetForm } from "#app/accounts/settings-forms.ts";
import { requestContext, servicesContext } from "#app/request/context.ts";
import { AuthLayout } from "#app/accounts/components/auth-layout.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { passOn } from "#app/ui/no-answer.ts";
import { pageTitle } from "#app/ui/page-title.ts";
import { TextLink } from "#app/ui/text-link.tsx";

/** The link of the mail. Open to everybody, signed in or not, because the address in it says who means whom. */
export function meta() {
  // The address holds the token: no other site learns it. "no-referrer" would take the form's origin away as well.
  return [{ title: pageTitle("Choose a new password") }, { name: "referrer", content: "same-origin" }];
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  return { token, account: await findReset(context.get(servicesContext), token) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const parsed = resetForm.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return data({ errors: fieldErrors(parsed.error), over: false }, 400);
  if (!(await services.limits.address(`reset:${networkOf(context.get(requestContext).address)}`)))
    return data({ errors: { password: SIGN_IN_TEXTS.busy }, over: false }, 429);
  const result = await resetPassword(services, parsed.data);
  if (!result.ok) return data({ errors: {}, over: true }, 409);
  services.defer(services.notifier.endSessions(result.userId));
  const headers = await signInHeaders(services, request, result);
  return welcomeIn(services, result, headers, null, PASSWORD_TEXTS.reset);
}

/** No answer, or one that is not ours, is an answer too: the link may still be good. Redirects go on. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({ errors: { password: SIGN_IN_TEXTS.connection }, over: false }));
}

export { AuthFailure as ErrorBoundary } from "#app/accounts/components/auth-layout.tsx";

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  const { account } = loaderData;
  if (!account || actionData?.over) {
    return (
      <AuthLayout
        title="This link no longer works"
        lead="It was used already, or it is older than an hour. Your password is as it was last set."
      >
        <LinkButton to="/auth/forgot" size="large" wide>
          Ask for a New Link
        </LinkButton>
        <p>
          <TextLink to="/auth">Back to Login</TextLink>
        </p>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      title="Choose a new password"
      lead={
        <>
          For <strong>{account.email}</strong>. You are then signed out on every other device.
        </>
      }
    >
      <ResetPasswordForm token={loaderData.token} errors={actionData?.errors ?? null} />
    </AuthLayout>
  );
}
