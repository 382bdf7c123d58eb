import type { FormEvent } from "react";
import { data, Form } from "react-router";
import { z } from "zod";
import type { Route } from "./+types/check-email.ts";
import { correctSignUpEmail } from "#app/accounts/login/correct-sign-up-email.server.ts";
import { linksWait, mayAskForConfirmation, resendConfirmation } from "#app/accounts/login/confirmation.server.ts";
import { MAX_LENGTHS } from "#app/accounts/login/account-rules.ts";
import "#app/accounts/components/accounts.css";
import { ResendConfirmation, type ResendAnswer } from "#app/accounts/components/resend-confirmation.tsx";
import { CORRECTION_TEXTS, emailError, RESEND_TEXTS, SIGN_UP_WARNINGS } from "#app/accounts/login/sign-up-rules.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { requestContext, servicesContext } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import { AuthLayout } from "#app/accounts/components/auth-layout.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { TextField } from "#app/ui/forms/text-field.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

const emailField = z.string().trim().min(1).max(254);

export function meta() {
  return pageMeta("Check your email");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const pending = await context.get(servicesContext).pendingEmail.read(request);
  return { email: pending?.email ?? null, warnings: pending?.warnings ?? [] };
}

/** Mails the link again, or to another address. The answer is the same for every address, registered or not. */
export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const form = await request.formData();
  if (form.has("newEmail"))
    return correct(services, request, String(form.get("newEmail")), context.get(requestContext));
  const email = emailField.safeParse(form.get("email"));
  if (!email.success) return respond(400, RESEND_TEXTS.required);
  const mistyped = emailError(email.data);
  if (mistyped) return respond(400, mistyped);
  if (!(await mayAskForConfirmation(services, email.data, context.get(requestContext).address)))
    return respond(429, RESEND_TEXTS.busy);
  const held = await linksWait(services);
  services.defer(resendConfirmation(services, email.data).then(() => services.drainOutbox()));
  // The same for every address. The email leaves once the provider takes emails again.
  if (held) return respond(503, RESEND_TEXTS.failed);
  return respond(200, RESEND_TEXTS.success);
}

interface Answer extends ResendAnswer {
  /** An address that was typed instead of the first one, and what is wrong with it. */
  refused?: { typed: string; errors: { newEmail: string } };
}

function respond(status: number, message: string, refused?: Answer["refused"]) {
  return data<Answer>({ ok: status === 200, message, refused }, status);
}

/** Only the browser that signed up has the cookie, so nobody else can send the link elsewhere. */
async function correct(services: Services, request: Request, typed: string, { address }: { address: string | null }) {
  const refuse = (status: number, error: string) => respond(status, "", { typed, errors: { newEmail: error } });
  const pending = await services.pendingEmail.read(request);
  if (!pending) return refuse(403, CORRECTION_TEXTS.elsewhere);
  const result = await correctSignUpEmail(services, { userId: pending.userId, email: typed.trim(), address });
  if (!result.ok)
    return "error" in result
      ? refuse(400, result.error)
      : refuse(result.code === "busy" ? 429 : 409, CORRECTION_TEXTS[result.code]);
  services.drainOutbox();
  const headers = new Headers();
  headers.append("Set-Cookie", await services.pendingEmail.write({ ...pending, email: result.email }));
  return redirectWithFlash(services, "/auth/check-email", { kind: "success", text: CORRECTION_TEXTS.sent }, headers);
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, (error): Answer => ({
    ok: false,
    message: error instanceof TypeError ? RESEND_TEXTS.error : RESEND_TEXTS.failed,
  }));
}

export default function CheckEmail({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  const { email, warnings } = loaderData;
  return (
    <AuthLayout title={email === null ? "Send a new confirmation link" : "Check Your Email"}>
      {warnings.map((warning) => (
        <Callout key={warning} tone="orange" icon="circle-alert">
          {SIGN_UP_WARNINGS[warning]}
        </Callout>
      ))}
      {answer?.message && (
        <Callout tone={answer.ok ? "green" : "red"} role="alert">
          {answer.message}
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
          {warnings.includes("mail") ? (
            <p>
              We couldn't send the confirmation link to{" "}
              <strong className="verification__email">
                <EmailAddress address={email} />
              </strong>{" "}
              yet. We keep trying. If it isn't there in an hour, send it again here.
            </p>
          ) : (
            <p>
              We sent a confirmation link to{" "}
              <strong className="verification__email">
                <EmailAddress address={email} />
              </strong>
              . Open it to finish your sign-up. The link expires in 24 hours.
            </p>
          )}
          <p className="quiet small">
            Can't find it? Check your spam folder, or send it again. If you've used this address here before, log in.
          </p>
        </section>
      )}
      <ResendConfirmation email={email} said={answer} />
      {email !== null && <WrongAddress key={email} refused={answer?.refused} />}
      <LinkButton to="/auth" variant="ghost" wide>
        Go to Login
      </LinkButton>
    </AuthLayout>
  );
}

/** Everything else that was typed stays with the account. */
function WrongAddress({ refused }: Pick<Answer, "refused">) {
  const errors = useFieldErrors(refused?.errors);
  function checkFirst(event: FormEvent<HTMLFormElement>): void {
    const error = emailError(String(new FormData(event.currentTarget).get("newEmail")).trim());
    if (error === null) return;
    event.preventDefault();
    errors.show({ newEmail: error });
  }
  return (
    <details className="wrong-address" open={refused !== undefined}>
      <summary className="text-link">Wrong address? Change it</summary>
      <Form method="post" className="stack" noValidate onSubmit={checkFirst} {...errors.form}>
        <Field
          label="Your email"
          error={errors.of("newEmail")}
          hint="Everything else that you typed stays. The link in the first email stops working."
        >
          <TextField
            name="newEmail"
            type="email"
            inputMode="email"
            autoComplete="email"
            defaultValue={refused?.typed}
            maxLength={MAX_LENGTHS.email}
            aria-required
          />
        </Field>
        <SubmitButton busyLabel="Sending...">Send the Link There</SubmitButton>
      </Form>
    </details>
  );
}
