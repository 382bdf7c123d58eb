import { data, Form, redirect } from "react-router";
import type { Route } from "./+types/complete-profile.ts";
import { skipsProfileScreen } from "#app/accounts/arrival.server.ts";
import { completeProfile, type ProfilePrefill, readProfilePrefill } from "#app/accounts/complete-profile.server.ts";
import { ProfileForm } from "#app/accounts/components/profile-form.tsx";
import { SIGN_IN_TEXTS } from "#app/accounts/rules.ts";
import { readProfileForm } from "#app/accounts/sign-up-form.ts";
import { PROFILE_TEXTS, PROFILE_TOAST_MS, type ProfileErrors } from "#app/accounts/sign-up-rules.ts";
import { requireViewer, servicesContext, viewerContext } from "#app/request/context.ts";
import type { FlashMessage } from "#app/platform/flash.server.ts";
import type { Services } from "#app/request/services.ts";
import { AuthLayout } from "#app/accounts/components/auth-layout.tsx";
import { Button } from "#app/ui/button.tsx";
import { passOn } from "#app/ui/no-answer.ts";
import { pageTitle } from "#app/ui/page-title.ts";
import { toast } from "#app/ui/toast.ts";

/** Only signed-in users complete a profile (accounts spec §4). */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ context }) => {
    if (!context.get(viewerContext))
      throw await redirectSaying(context.get(servicesContext), "/auth", {
        kind: "info",
        text: SIGN_IN_TEXTS.required,
        duration: 3000,
      });
  },
];

export function meta() {
  return [{ title: pageTitle("Complete your profile") }];
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  let prefill: ProfilePrefill;
  try {
    prefill = await readProfilePrefill(services.db, requireViewer(context).id);
  } catch (error) {
    services.log({ event: "profile_load_failed", level: "error", error: String(error) });
    throw await redirectSaying(services, "/auth", { kind: "error", text: PROFILE_TEXTS.load_failed });
  }
  if (skipsProfileScreen(new URL(request.url), prefill)) throw redirect("/home");
  return { values: prefill.values, campuses: prefill.campuses, asksSeller: !prefill.isWholesaler };
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const values = readProfileForm(await request.formData());
  const viewer = requireViewer(context);
  if (!(await services.limits.write(viewer.id)))
    return data({ values, errors: {} satisfies ProfileErrors, error: SIGN_IN_TEXTS.busy }, 429);
  try {
    const result = await completeProfile(services, viewer.id, values);
    if (!result.ok) return data({ values, errors: result.errors, error: null }, 400);
    return redirectSaying(services, "/home", {
      kind: "success",
      text: PROFILE_TEXTS.success,
      duration: PROFILE_TOAST_MS.success,
      arrival: "profile_completed",
    });
  } catch (error) {
    services.log({ event: "profile_completion_failed", level: "error", error: String(error) });
    return data({ values, errors: {} satisfies ProfileErrors, error: PROFILE_TEXTS.failed }, 500);
  }
}

async function redirectSaying(services: Services, to: string, message: Omit<FlashMessage, "id">): Promise<Response> {
  return redirect(to, { headers: { "Set-Cookie": await services.flash.write(message) } });
}

/** No answer, or one that is not ours, is an answer too: what was typed stays. Redirects go on. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  const answer = await passOn(serverAction, () => {
    toast.error(PROFILE_TEXTS.failed, { duration: PROFILE_TOAST_MS.failed });
    return { values: null, errors: {} satisfies ProfileErrors, error: PROFILE_TEXTS.failed };
  });
  if (answer && "error" in answer && answer.error) toast.error(answer.error, { duration: PROFILE_TOAST_MS.failed });
  return answer;
}

export { AuthFailure as ErrorBoundary } from "#app/accounts/components/auth-layout.tsx";

export default function CompleteProfile({ loaderData, actionData }: Route.ComponentProps) {
  const { values, campuses, asksSeller } = loaderData;
  return (
    <AuthLayout title="Complete your profile" lead="So that people on your campus know who they deal with.">
      <ProfileForm
        values={actionData?.values ?? values}
        campuses={campuses}
        asksSeller={asksSeller}
        answer={actionData ?? null}
      />
      <Form method="post" action="/logout">
        <Button type="submit" variant="ghost" tone="gray">
          Log out
        </Button>
      </Form>
    </AuthLayout>
  );
}
