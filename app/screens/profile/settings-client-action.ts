import type { ClientActionFunctionArgs } from "react-router";
import type { ScriptsAnswer, SettingsAnswer } from "#app/accounts/components/settings-view.tsx";
import { SIGN_IN_TEXTS } from "#app/accounts/login/account-rules.ts";
import { settingsPath } from "#app/accounts/profile/settings-path.ts";
import { passOn } from "#app/ui/feedback/no-answer.ts";
import { toast } from "#app/ui/feedback/toast.ts";

/**
 * The client action of the routes that take the settings' forms. What is saved stays on the screen, which loads its
 * data again. When no answer of ours arrives, the form keeps its values and a toast says so.
 */
export async function settingsClientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  const answer: SettingsAnswer = { intent: String(form.get("intent")), errors: {} };
  try {
    return await passOn(
      () => serverAction<SettingsAnswer>(),
      () => {
        toast.error(SIGN_IN_TEXTS.connection_toast, { duration: 5000 });
        return answer;
      },
    );
  } catch (error) {
    if (error instanceof Response && error.headers.get("Location") === settingsPath())
      return { ...answer, saved: form } satisfies ScriptsAnswer;
    throw error;
  }
}
