import { SettingsView } from "#app/accounts/components/settings-view.tsx";
import type { Settings } from "#app/accounts/profile/settings.server.ts";
import type { SettingsSection } from "#app/accounts/profile/settings-sections.ts";
import { photoFormOf } from "./photo-form.tsx";
import { RestartButton } from "#app/tutorial/components/restart-button.tsx";

/** The profile's tab of the member's account. */
export function SettingsTab({ settings, section }: { settings: Settings; section: SettingsSection | null }) {
  const [photo, tutorial] = [photoFormOf(settings), <RestartButton key="restart" />];
  return <SettingsView settings={settings} section={section} photo={photo} tutorial={tutorial} />;
}
