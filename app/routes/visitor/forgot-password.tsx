import { data } from "react-router";
import type { Route } from "./+types/forgot-password.ts";
import { ForgotPasswordForm } from "#app/accounts/components/forgot-password-form.tsx";
import { mayAskForReset, sendPasswordReset } from "#app/accounts/login/password-reset.server.ts";
import { SIGN_IN_TEXTS } from "#app/accounts/login/account-rules.ts";
import { fieldErrors, forgotForm } from "#app/accounts/profile/settings-forms.ts";
import { requestContext, servicesContext } from "#app/request/context.ts";
import { AuthLayout } from "#app/accounts/components/auth-layout.tsx";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { TextLink } from "#app/ui/text-link.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

export function meta() {
  return pageMeta("Forgot password");
}

/** The answer is the same for every email and doesn't wait for the work that only registered emails cause. */
export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const parsed = forgotForm.safeParse(Object.fromEntries(await request.formData()));
  if (!parsed.success) return data({ errors: fieldErrors(parsed.error) }, 400);
  if (!(await mayAskForReset(services, context.get(requestContext).address)))
    return data({ errors: { email: SIGN_IN_TEXTS.busy } }, 429);
  const { email } = parsed.data;
  services.defer(sendPasswordReset(services, email).then(() => services.drainOutbox()));
  return { sentTo: email };
}

/** When no answer of ours arrives, the form keeps its values and shows an error. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({ errors: { email: SIGN_IN_TEXTS.connection } }));
}

export default function ForgotPassword({ actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  const sentTo = answer && "sentTo" in answer ? answer.sentTo : null;
  const back = <TextLink to="/auth">Back to log in</TextLink>;
  if (sentTo) {
    return (
      <AuthLayout
        title="Check Your Email"
        lead={
          <>
            If <strong>{sentTo}</strong> has an account, we've sent a link to choose a new password.
          </>
        }
      >
        <p className="quiet">
          The link works once and expires in one hour. Can't find it? Check your spam folder, or check the email and try
          again.
        </p>
        <p>
          <TextLink to="/auth/forgot" reloadDocument>
            Try again
          </TextLink>{" "}
          · {back}
        </p>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      title="Forgot your password?"
      lead="Enter your email and we'll send you a link to choose a new password."
    >
      <ForgotPasswordForm errors={answer && "errors" in answer ? answer.errors : null} />
      <p>{back}</p>
    </AuthLayout>
  );
}
