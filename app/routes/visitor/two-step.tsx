import { data } from "react-router";
import type { Route } from "./+types/two-step.ts";
import { SIGN_IN_TEXTS, safeReturnPath } from "#app/accounts/login/account-rules.ts";
import { AuthLayout } from "#app/accounts/components/auth-layout.tsx";
import { redirectAfterSignIn } from "#app/accounts/login/redirect-after-sign-in.server.ts";
import { signInHeaders } from "#app/accounts/login/session.server.ts";
import { SecondStepForms } from "#app/accounts/two-step/components/second-step-forms.tsx";
import { readFirstStep } from "#app/accounts/two-step/second-step.server.ts";
import { checkStepForm, findStepOffer } from "#app/accounts/two-step/step-form.server.ts";
import { TWO_STEP_TEXTS } from "#app/accounts/two-step/two-step-rules.ts";
import { isFirstStepAlive } from "#app/accounts/two-step/two-step.server.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { servicesContext } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { TextLink } from "#app/ui/text-link.tsx";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

/** The second step of a login, after the password, a link or an issuer. */
export function meta() {
  return pageMeta("Confirm that it's you");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const first = await readFirstStep(services, request);
  if (!first) return startAgain(services);
  // An owner may have turned it off meanwhile. Then the first step is enough, from the beginning.
  const offer = await findStepOffer(services, first.userId);
  return offer ? { offer } : startAgain(services);
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const first = await readFirstStep(services, request);
  // The password may have changed since the first step. Then a recovery code would be used up and let nobody in.
  if (!first || !(await isFirstStepAlive(services, first))) return startAgain(services);
  const checked = await checkStepForm(services, first.userId, await request.formData(), first.epoch);
  if (!checked.ok) return data({ errors: { "confirm-code": checked.error } }, checked.status);
  services.drainOutbox();
  const confirmed = { at: services.now(), steps: 2 } as const;
  const headers = await signInHeaders(services, request, { ...first, confirmed });
  headers.append("Set-Cookie", await services.firstStep.clear());
  const to = safeReturnPath(new URL(request.url).searchParams.get("to"));
  if (!first.profileComplete) return redirectAfterSignIn(services, first, headers, to);
  const greeting = { kind: "success", text: SIGN_IN_TEXTS.success, duration: 2000 } as const;
  return redirectWithFlash(services, to ?? "/home", greeting, headers);
}

async function startAgain(services: Services): Promise<never> {
  const headers = new Headers();
  headers.append("Set-Cookie", await services.firstStep.clear());
  throw await redirectWithFlash(services, "/auth", { kind: "info", text: TWO_STEP_TEXTS.over }, headers);
}

/** When no answer of ours arrives, the form stays. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, () => ({ errors: { "confirm-code": TWO_STEP_TEXTS.connection } }));
}

export default function TwoStep({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return (
    <AuthLayout title="Confirm that it's you" lead="Your account asks for a second step.">
      <SecondStepForms offer={loaderData.offer} errors={answer?.errors} label="Log in" />
      <p className="quiet small">
        Lost your app, passkeys and recovery codes? <TextLink to="/support">Contact support</TextLink>
      </p>
    </AuthLayout>
  );
}
