import { data } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/check-email.ts";
import { mayAskForConfirmation, resendConfirmation } from "#app/accounts/confirmation.server.ts";
import "#app/accounts/components/accounts.css";
import { ResendConfirmation, type ResendAnswer } from "#app/accounts/components/resend-confirmation.tsx";
import { RESEND_TEXTS, SIGN_UP_WARNINGS } from "#app/accounts/sign-up-rules.ts";
import { requestContext, servicesContext } from "#app/request/context.ts";
import { AuthLayout } from "#app/accounts/components/auth-layout.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";

const emailField = z.string().trim().min(1).max(254);

export function meta() {
  return pageMeta("Check your email");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const pending = await context.get(servicesContext).pendingEmail.read(request);
  return { email: pending?.email ?? null, warnings: pending?.warnings ?? [] };
}

/** Mails the link again. The answer is the same for every address, registered or not. */
export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const email = emailField.safeParse((await request.formData()).get("email"));
  if (!email.success) return answer(400, RESEND_TEXTS.required);
  if (!(await mayAskForConfirmation(services, email.data, context.get(requestContext).address)))
    return answer(429, RESEND_TEXTS.busy);
  services.defer(resendConfirmation(services, email.data).then(() => services.drainOutbox()));
  return answer(200, RESEND_TEXTS.success);
}

function answer(status: number, message: string) {
  return data({ ok: status === 200, message } satisfies ResendAnswer, status);
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, (error): ResendAnswer => ({
    ok: false,
    message: error instanceof TypeError ? RESEND_TEXTS.error : RESEND_TEXTS.failed,
  }));
}

export default function CheckEmail({ loaderData, actionData }: Route.ComponentProps) {
  const { email, warnings } = loaderData;
  return (
    <AuthLayout title={email === null ? "Send a new confirmation link" : "Check Your Email"}>
      {warnings.map((warning) => (
        <Callout key={warning} tone="orange" icon="circle-alert">
          {SIGN_UP_WARNINGS[warning]}
        </Callout>
      ))}
      {actionData && (
        <Callout tone={actionData.ok ? "green" : "red"} role="status">
          {actionData.message}
        </Callout>
      )}
      {email === null ? (
        <p className="quiet">Enter the email you signed up with, and we'll send you a new link.</p>
      ) : (
        <section className="verification">
          <span className="verification__mark">
            <Icon name="mail-check" />
          </span>
          <h2 className="verification__title">Verification Required</h2>
          <p>
            We sent a confirmation link to <strong className="verification__email">{email}</strong>. Open it to finish
            your sign-up. The link expires in 24 hours.
          </p>
          <p className="quiet small">Can't find it? Check your spam folder, or send it again.</p>
        </section>
      )}
      <ResendConfirmation email={email} said={actionData} />
      <LinkButton to="/auth" variant="ghost" wide>
        Log In
      </LinkButton>
    </AuthLayout>
  );
}
