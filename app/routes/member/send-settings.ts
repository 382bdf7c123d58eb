import { redirect } from "react-router";
import { settingsPath } from "#app/accounts/profile/settings-path.ts";
import { settingsAction } from "#app/screens/actions/settings-action.server.ts";
import { settingsClientAction } from "#app/screens/profile/settings-client-action.ts";

/** This address has no page. */
export function loader() {
  return redirect(settingsPath());
}

/** Takes the forms of the settings. */
export const action = settingsAction;
export const clientAction = settingsClientAction;
