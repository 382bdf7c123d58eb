import { redirect } from "react-router";
import type { Route } from "./+types/send-settings.ts";
import type { ScriptsAnswer, SettingsAnswer } from "#app/accounts/components/settings-view.tsx";
import { SIGN_IN_TEXTS } from "#app/accounts/login/account-rules.ts";
import { settingsPath } from "#app/accounts/profile/settings-path.ts";
import { settingsAction } from "#app/screens/actions/settings-action.server.ts";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { toast } from "#app/ui/feedback/toast.ts";

const HOME = settingsPath();

/** This address has no page. */
export function loader() {
  return redirect(HOME);
}

/** Takes the forms of the settings. */
export const action = settingsAction;

/**
 * What is saved stays on the screen, which loads its data again. When no answer of ours arrives, the form keeps its
 * values and a toast says so.
 */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  const answer: SettingsAnswer = { intent: String(form.get("intent")), errors: {} };
  try {
    return await passOn(serverAction, () => {
      toast.error(SIGN_IN_TEXTS.connection_toast, { duration: 5000 });
      return answer;
    });
  } catch (error) {
    if (error instanceof Response && error.headers.get("Location") === HOME)
      return { ...answer, saved: form } satisfies ScriptsAnswer;
    throw error;
  }
}
