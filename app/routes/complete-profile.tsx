import { settingsPath } from "#app/accounts/profile/settings-path.ts";
import { data, Form, redirect, useRouteLoaderData } from "react-router";
import type { Route } from "./+types/complete-profile.ts";
import { completeProfile, readProfilePrefill } from "#app/accounts/profile/complete-profile.server.ts";
import { readOwnDetails } from "#app/accounts/profile/own-details.server.ts";
import { ProfileForm } from "#app/accounts/components/profile-form.tsx";
import { safeReturnPath, SIGN_IN_TEXTS } from "#app/accounts/login/account-rules.ts";
import { readProfileForm } from "#app/accounts/login/sign-up-fields.ts";
import {
  PROFILE_TEXTS,
  PROFILE_TOAST_MS,
  type ProfileErrors,
  profileTexts,
  type ProfileValues,
} from "#app/accounts/login/sign-up-rules.ts";
import { findLevel } from "#app/accounts/trust/verified.server.ts";
import { NEW_STUDENT_TEXT } from "#app/accounts/trust/verified-rules.ts";
import { VERIFIED } from "#app/db/states/verified.ts";
import { mergeEdit, readOpened } from "#app/platform/edit-rules.ts";
import { mergeAndSave } from "#app/screens/actions/merge-and-save.server.ts";
import { requireViewer, servicesContext, viewerContext } from "#app/request/context.ts";
import type { Services } from "#app/request/services.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { AuthLayout } from "#app/accounts/components/auth-layout.tsx";
import { Button } from "#app/ui/button.tsx";
import { Callout } from "#app/ui/feedback/callout.tsx";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { RetryButton } from "#app/ui/feedback/state.tsx";
import { toast } from "#app/ui/feedback/toast.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";
import type { loader as rootLoader } from "#app/root.tsx";

/** Only members have a profile to complete. */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ context }) => {
    if (!context.get(viewerContext))
      throw await redirectWithFlash(context.get(servicesContext), "/auth", {
        kind: "info",
        text: SIGN_IN_TEXTS.required,
        duration: 3000,
      });
  },
];

export function meta() {
  return pageMeta("Complete your profile");
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const viewer = requireViewer(context);
  if (viewer.profileComplete) throw redirect(nextScreen(request) ?? "/home");
  try {
    const { values, campuses, isWholesaler } = await readProfilePrefill(services.db, viewer.id);
    return { values, campuses, asksSeller: !isWholesaler };
  } catch (error) {
    services.log({ event: "profile_load_failed", level: "error", error: String(error) });
    return data(null, 500);
  }
}

/** The screen that the user asked for before they had to complete their profile. */
function nextScreen(request: Request): string | null {
  return safeReturnPath(new URL(request.url).searchParams.get("to"));
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const form = await request.formData();
  const values = readProfileForm(form);
  const viewer = requireViewer(context);
  if (!(await services.limits.write(viewer.id)))
    return data({ values, errors: {} satisfies ProfileErrors, error: SIGN_IN_TEXTS.busy }, 429);
  try {
    const result = await mergeAndSave(() => saveProfile(services, viewer.id, form, values));
    // Another tab completed it. This form can't be opened any more, so Settings shows what that tab saved.
    if (result === "changed")
      return redirectWithFlash(services, settingsPath("details"), { kind: "error", text: PROFILE_TEXTS.changed });
    if (!result.ok) return data({ values, errors: result.errors, error: null }, 400);
    const to = nextScreen(request);
    const isStudent = VERIFIED.isStudent(await findLevel(services.db, viewer.id));
    return redirectWithFlash(services, to ?? "/home", {
      kind: "success",
      text: isStudent ? `${PROFILE_TEXTS.success} ${NEW_STUDENT_TEXT}` : PROFILE_TEXTS.success,
      duration: PROFILE_TOAST_MS.success,
      arrival: "profile_completed",
      tourWaits: to !== null,
    });
  } catch (error) {
    services.log({ event: "profile_completion_failed", level: "error", error: String(error) });
    return data({ values, errors: {} satisfies ProfileErrors, error: PROFILE_TEXTS.failed }, 500);
  }
}

/** "changed": another tab has changed the same fields. */
async function saveProfile(services: Services, userId: string, form: FormData, values: ProfileValues) {
  const mergedWith = await readOwnDetails(services.db, userId);
  const now = (await readProfilePrefill(services.db, userId)).values;
  const edit = mergeEdit({ opened: readOpened(form), now: profileTexts(now), mine: profileTexts(values) });
  if (edit.conflicts.length > 0) return "changed";
  const merged = { ...edit.values, isSeller: edit.values.isSeller !== "" };
  return completeProfile(services, userId, merged, mergedWith);
}

/** When no answer of ours arrives, the form keeps its values and shows an error. */
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
  const answer = useFormAnswer(actionData);
  const viewer = useRouteLoaderData<typeof rootLoader>("root")?.viewer;
  return (
    <AuthLayout
      title="Complete your profile"
      lead="This lets people on your campus know who they're dealing with."
      viewerId={viewer?.id}
    >
      {loaderData === null ? (
        <>
          <Callout tone="red" role="alert">
            {PROFILE_TEXTS.load_failed}
          </Callout>
          <RetryButton />
        </>
      ) : (
        <ProfileForm
          values={answer?.values ?? loaderData.values}
          campuses={loaderData.campuses}
          asksSeller={loaderData.asksSeller}
          answer={answer}
        />
      )}
      <Form method="post" replace action="/logout">
        <Button type="submit" variant="ghost">
          Log out
        </Button>
      </Form>
    </AuthLayout>
  );
}
