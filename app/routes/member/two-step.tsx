import { data, redirect } from "react-router";
import type { Route } from "./+types/two-step.ts";
import { withReturnPath } from "#app/accounts/login/account-rules.ts";
import { TwoStepView } from "#app/accounts/two-step/components/two-step-view.tsx";
import { newChallenge, newPasskey } from "#app/accounts/two-step/passkey-checks.server.ts";
import { readJson } from "#app/accounts/two-step/step-form.server.ts";
import { otpAddress, toBase32 } from "#app/accounts/two-step/totp.server.ts";
import { CONFIRMED_FOR_MS, TWO_STEP_TEXTS } from "#app/accounts/two-step/two-step-rules.ts";
import {
  addApp,
  addPasskey,
  findSecondSteps,
  findStartedApp,
  removeStep,
  renewRecoveryCodes,
  startApp,
  type StartedApp,
  type StepChange,
} from "#app/accounts/two-step/two-step.server.ts";
import { headersAfterChange } from "#app/accounts/login/session.server.ts";
import type { Viewer } from "#app/accounts/viewer.server.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { drawQr } from "#app/platform/qr-code.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { screenPath } from "#app/request/screen-path.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";
import { passOn, reloadsOnConflict } from "#app/ui/feedback/no-answer.ts";
import { brand } from "#app/ui/page/brand.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";

/**
 * Sets up and removes the second step of the login. It asks who it is first, so that a borrowed session changes
 * nothing.
 */
export function meta() {
  return pageMeta("Two-step login");
}

export const middleware: Route.MiddlewareFunction[] = [
  ({ request, context }) => {
    const { confirmed } = requireViewer(context);
    if (context.get(servicesContext).now() < confirmed.at + CONFIRMED_FOR_MS) return;
    throw redirect(withReturnPath("/auth/confirm", screenPath(request)), request.method === "GET" ? 302 : 307);
  },
];

async function sessionIdOf(services: Services, request: Request): Promise<string> {
  return (await services.sessions.read(request))?.identity.id ?? "";
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const [steps, started] = await Promise.all([
    findSecondSteps(services.db, viewer.id),
    findStartedApp(services, viewer.id, await sessionIdOf(services, request)),
  ]);
  return {
    steps,
    app: started && showApp(started, viewer.email),
    passkey: {
      challenge: newChallenge(services, viewer.id, "webauthn.create", services.now()),
      ids: steps.passkeys.map(({ id }) => id),
      site: brand.name,
      email: viewer.email,
      userId: viewer.id,
    },
    isNeeded: viewer.adminRole !== null && services.adminsNeedTwoSteps,
  };
}

function showApp({ secret, startedAt }: StartedApp, account: string) {
  const address = otpAddress(secret, { issuer: brand.name, account });
  return { secret: toBase32(secret), startedAt, address, drawing: drawQr(address) };
}

interface Answer {
  errors: Partial<Record<string, string>>;
  /** Recovery codes that nobody can read again. */
  codes?: string[];
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  const refuse = (field: string, error: string, status: number) => data<Answer>({ errors: { [field]: error } }, status);
  if (!(await services.limits.write(viewer.id))) return refuse("form", TOO_MANY_REQUESTS, 429);
  const form = await request.formData();
  switch (form.get("intent")) {
    case "start-app":
      await startApp(services, viewer.id, await sessionIdOf(services, request));
      return redirect("/settings/two-step");
    case "add-app": {
      const startedAt = form.has("startedAt") ? Number(form.get("startedAt")) : undefined;
      const added = await addApp(services, viewer.id, String(form.get("code") ?? ""), startedAt);
      if (!added.ok)
        return added.code === "wrong"
          ? refuse("code", TWO_STEP_TEXTS.wrong_first, 400)
          : refuse("code", TWO_STEP_TEXTS.stale_app, 409);
      return done(services, request, viewer, added, TWO_STEP_TEXTS.app_added);
    }
    case "add-passkey": {
      const passkey = newPasskey.safeParse(readJson(String(form.get("passkey") ?? "")));
      const added = passkey.success ? await addPasskey(services, viewer.id, passkey.data) : null;
      if (!added?.ok)
        return added?.code === "stale"
          ? refuse("form", TWO_STEP_TEXTS.stale, 409)
          : refuse("form", TWO_STEP_TEXTS.wrong_passkey, 400);
      return done(services, request, viewer, added, TWO_STEP_TEXTS.passkey_added);
    }
    case "remove": {
      const mayBeLast = viewer.adminRole === null || !services.adminsNeedTwoSteps;
      const removed = await removeStep(services, viewer.id, String(form.get("id") ?? ""), mayBeLast);
      if (!removed.ok) return refuse("form", mayBeLast ? TWO_STEP_TEXTS.stale : TWO_STEP_TEXTS.last_of_admin, 409);
      return done(services, request, viewer, removed, TWO_STEP_TEXTS.removed);
    }
    case "renew-codes": {
      const codes = await renewRecoveryCodes(services, viewer.id);
      if (!codes) return refuse("form", TWO_STEP_TEXTS.stale, 409);
      services.drainOutbox();
      return data<Answer>({ errors: {}, codes });
    }
    default:
      return refuse("form", TWO_STEP_TEXTS.stale, 400);
  }
}

/**
 * All sessions have ended, so this browser gets a new one. New recovery codes are shown at once; otherwise a message
 * is.
 */
async function done(
  services: Services,
  request: Request,
  viewer: Viewer,
  change: Extract<StepChange, { ok: true }>,
  text: string,
) {
  const headers = await headersAfterChange(services, request, {
    userId: viewer.id,
    epoch: change.epoch,
    email: viewer.email,
    confirmed: { at: services.now(), steps: change.hasSecondStep ? 2 : 1 },
  });
  if (change.codes) return data<Answer>({ errors: {}, codes: change.codes }, { headers });
  return redirectWithFlash(services, "/settings/two-step", { kind: "success", text, duration: 6000 }, headers);
}

/** When no answer of ours arrives, the form stays. */
export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return passOn(serverAction, (): Answer => ({ errors: { form: TWO_STEP_TEXTS.connection } }));
}

export const shouldRevalidate = reloadsOnConflict;

export default function TwoStep({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return <TwoStepView {...loaderData} errors={answer?.errors} codes={answer?.codes ?? null} />;
}

export function ErrorBoundary() {
  return <ScreenFailed title="We couldn't load two-step login" />;
}
