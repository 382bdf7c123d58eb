import type { ReactNode } from "react";
import { data, Form, redirect } from "react-router";
import type { Route } from "./+types/confirm.ts";
import { safeReturnPath, withReturnPath } from "#app/accounts/login/account-rules.ts";
import { AuthLayout } from "#app/accounts/components/auth-layout.tsx";
import { signInHeaders } from "#app/accounts/login/session.server.ts";
import { checkOwnPassword, hasPassword } from "#app/accounts/profile/settings.server.ts";
import { SecondStepForms } from "#app/accounts/two-step/components/second-step-forms.tsx";
import { checkStepForm, findStepOffer } from "#app/accounts/two-step/step-form.server.ts";
import { TWO_STEP_TEXTS } from "#app/accounts/two-step/two-step-rules.ts";
import type { Viewer } from "#app/accounts/viewer.server.ts";
import { servicesContext, viewerContext } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { PasswordField } from "#app/ui/forms/form-fields.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { useFieldErrors } from "#app/ui/forms/use-field-errors.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { TextLink } from "#app/ui/text-link.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

/**
 * Asks somebody who is logged in once more who they are, before money moves, their login changes or their account goes.
 * A form that was sent too late arrives here as it was (redirects 307 keep it), waits in hidden fields, and goes on to
 * its own page in the same way.
 */
export function meta() {
  return pageMeta("Confirm that it's you");
}

/** The fields of this page's own form. All others belong to the form that waits. */
const OWN = "confirm-";
const HOME = "/home";

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const viewer = context.get(viewerContext);
  const to = returnPath(request);
  if (!viewer) throw redirect(withReturnPath("/auth", to));
  const offer = await findStepOffer(services, viewer.id);
  return { to, offer, canUsePassword: offer !== null || (await hasPassword(services, viewer.id)) };
}

/** The fields of the form that waits. */
function waitingIn(form: FormData): { name: string; value: string }[] {
  return [...form].flatMap(([name, value]) =>
    typeof value === "string" && !name.startsWith(OWN) ? [{ name, value }] : [],
  );
}

/** Only pages that ask. A form goes nowhere else. */
function returnPath(request: Request): string {
  const to = safeReturnPath(new URL(request.url).searchParams.get("to"));
  return to && /^\/(admin\/|settings(\/|$))/.test(to) ? to : HOME;
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = context.get(viewerContext);
  const to = returnPath(request);
  if (!viewer) throw redirect(withReturnPath("/auth", to));
  const form = await request.formData();
  const waiting = waitingIn(form);
  if (!form.has("confirm-sent")) return data({ waiting, errors: {} });
  const checked = await check(services, viewer, form);
  if (!checked.ok) return data({ waiting, errors: checked.errors }, checked.status);
  services.drainOutbox();
  const session = await services.sessions.read(request);
  if (!session) throw redirect(withReturnPath("/auth", to));
  const headers = await signInHeaders(services, request, {
    userId: viewer.id,
    // The session's own. If it has ended meanwhile, so does the new one.
    epoch: session.identity.epoch,
    email: viewer.email,
    kept: session.kept,
    confirmed: { at: services.now(), steps: checked.steps },
  });
  return redirect(to, { status: waiting.length > 0 && to !== HOME ? 307 : 303, headers });
}

type Check = { ok: true; steps: 1 | 2 } | { ok: false; errors: Partial<Record<string, string>>; status: number };

/** The second step, or the password of an account that has none. */
async function check(services: Services, viewer: Viewer, form: FormData): Promise<Check> {
  if (await findStepOffer(services, viewer.id)) {
    const checked = await checkStepForm(services, viewer.id, form);
    if (checked.ok) return { ok: true, steps: 2 };
    return { ok: false, errors: { "confirm-code": checked.error }, status: checked.status };
  }
  const checked = await checkOwnPassword(services, viewer.id, String(form.get("confirm-password") ?? ""));
  if (checked.ok) return { ok: true, steps: 1 };
  const error = checked.code === "busy" ? TWO_STEP_TEXTS.busy_password : TWO_STEP_TEXTS.wrong_password;
  return { ok: false, errors: { "confirm-password": error }, status: checked.code === "busy" ? 429 : 401 };
}

/** When no answer of ours arrives, nothing that waits is lost. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  const waiting = waitingIn(form);
  const errors = { "confirm-code": TWO_STEP_TEXTS.connection, "confirm-password": TWO_STEP_TEXTS.connection };
  return passOn(serverAction, () => ({ waiting, errors }));
}

export { AuthFailure as ErrorBoundary } from "#app/accounts/components/auth-layout.tsx";

export default function Confirm({ loaderData: { to, offer, canUsePassword }, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  const waiting = answer?.waiting ?? [];
  const isKept = waiting.length > 0 && canUsePassword;
  const hidden = (
    <>
      <input type="hidden" name="confirm-sent" value="yes" />
      {waiting.map(({ name, value }, at) => (
        <input key={`${at} ${name}`} type="hidden" name={name} value={value} />
      ))}
    </>
  );
  return (
    <AuthLayout
      title="Confirm that it's you"
      lead={
        isKept
          ? "It's more than 10 minutes since you did. What you entered is kept, and goes on from here."
          : "We ask once more before you change how you log in, or delete your account."
      }
    >
      {offer ? (
        <SecondStepForms offer={offer} errors={answer?.errors} label="Continue">
          {hidden}
        </SecondStepForms>
      ) : canUsePassword ? (
        <PasswordForm errors={answer?.errors}>{hidden}</PasswordForm>
      ) : (
        <LogInAgain />
      )}
      <p className="row">
        {waiting.length > 0 ? (
          <TextLink to={to}>Go back without saving</TextLink>
        ) : (
          <TextLink to="/profile?tab=settings">Back to Settings</TextLink>
        )}
      </p>
    </AuthLayout>
  );
}

function PasswordForm({
  errors: answered,
  children,
}: {
  errors?: Partial<Record<string, string>>;
  children: ReactNode;
}) {
  const errors = useFieldErrors(answered);
  return (
    <Form method="post" className="stack" noValidate {...errors.form}>
      {children}
      <Field label="Password" error={errors.of("confirm-password")}>
        <PasswordField name="confirm-password" autoComplete="current-password" aria-required />
      </Field>
      <SubmitButton busyLabel="Checking...">Continue</SubmitButton>
    </Form>
  );
}

/** For an account that has no password. */
function LogInAgain() {
  return (
    <Form method="post" replace action="/logout" className="stack">
      <p>You log in without a password. Log out and in again, and you have 10 minutes.</p>
      <SubmitButton busyLabel="Logging out...">Log Out</SubmitButton>
    </Form>
  );
}
