import { data, redirect } from "react-router";
import type { Route } from "./+types/settings.ts";
import { MemberHeader } from "#app/accounts/components/member-header.tsx";
import { SettingsView } from "#app/accounts/components/settings-view.tsx";
import { photoFormOf } from "#app/screens/profile/photo-form.tsx";
import { SETTINGS_TEXTS } from "#app/accounts/login/account-rules.ts";
import { findSettings } from "#app/accounts/profile/settings.server.ts";
import { settingsPath } from "#app/accounts/profile/settings-path.ts";
import { sectionOfForm } from "#app/accounts/profile/settings-sections.ts";
import { RestartButton } from "#app/tutorial/components/restart-button.tsx";
import { listedBy } from "#app/catalogue/selling/listed-by.server.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { redirectWithFlash } from "#app/platform/flash.server.ts";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { useFormAnswer } from "#app/ui/forms/use-form-answer.ts";
import { settingsAction } from "#app/screens/actions/settings-action.server.ts";
import { settingsClientAction } from "#app/screens/profile/settings-client-action.ts";

/** The screen of the settings is a tab of the profile. */
const HOME = settingsPath();

export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context }) => {
    if (request.method !== "GET") return;
    if (new URL(request.url).searchParams.get("for") !== "my-data") throw redirect(HOME);
    const text = SETTINGS_TEXTS.my_data_next;
    throw await redirectWithFlash(context.get(servicesContext), settingsPath("my-data"), {
      kind: "info",
      text,
      duration: 8000,
    });
  },
];

export function meta() {
  return pageMeta("Settings");
}

export async function loader({ context }: Route.LoaderArgs) {
  const { id } = requireViewer(context);
  const settings = await findSettings(context.get(servicesContext), id, listedBy(id));
  if (!settings) throw data(null, { status: 404 });
  return settings;
}

/**
 * Takes the forms from browsers without scripts, and shows what was wrong. Scripts send them to send-settings.ts, but
 * for the deletion of an account that /auth/confirm passes on.
 */
export const action = settingsAction;
export const clientAction = settingsClientAction;

export default function SettingsScreen({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useFormAnswer(actionData);
  return (
    <div className="page stack stack--loose">
      <MemberHeader member={loaderData.member} />
      <SettingsView
        settings={loaderData}
        section={answer && sectionOfForm(answer.intent)}
        answer={answer}
        photo={photoFormOf(loaderData, answer)}
        tutorial={<RestartButton />}
      />
    </div>
  );
}
