import { SettingsView } from "#app/accounts/components/settings-view.tsx";
import type { Settings } from "#app/accounts/profile/settings.server.ts";
import { photoFormOf } from "./photo-form.tsx";
import { RestartButton } from "#app/tutorial/components/restart-button.tsx";

/** The profile's tab of the member's account. */
export function SettingsTab({ settings }: { settings: Settings }) {
  return <SettingsView settings={settings} photo={photoFormOf(settings)} tutorial={<RestartButton />} />;
}
