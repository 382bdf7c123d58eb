import { Link } from "react-router";
import type { Settings } from "#app/accounts/profile/settings.server.ts";
import { settingsPath } from "#app/accounts/profile/settings-path.ts";
import {
  SETTINGS_GROUPS,
  type SettingsRow,
  settingsRow,
  type SettingsSection,
} from "#app/accounts/profile/settings-sections.ts";
import { displayPhone } from "#app/accounts/profile/phone.ts";
import { useDataSaver } from "#app/ui/browser/data-saver.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";

/** The list of a user's settings, each with what it says now. */
export function SettingsList({ settings, current }: { settings: Settings; current: SettingsSection }) {
  const isSaving = useDataSaver();
  return (
    <nav className="settings__list stack" aria-label="Settings">
      {SETTINGS_GROUPS.map((rows) => (
        <ul key={rows[0]} role="list">
          {rows.map((row) => (
            <li key={row}>
              <Link
                className="settings__row"
                to={settingsPath(row)}
                aria-current={row === current ? "true" : undefined}
              >
                <Icon name={settingsRow(row).icon} />
                <span>{settingsRow(row).title}</span>
                <span className="settings__now grow quiet small">{valueOf(row, settings, isSaving)}</span>
                <Icon name="chevron-right" size="small" />
              </Link>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  );
}

const DOCUMENT_STATES = { pending: "Waiting", approved: "Approved", rejected: "Rejected" } as const;

/** What a setting is now, in a few words; null where that says nothing. */
function valueOf(row: SettingsRow, settings: Settings, isSaving: boolean): string | null {
  switch (row) {
    case "details":
      return settings.phone === null ? "No phone" : displayPhone(settings.phone);
    case "documents":
      return settings.documents[0] ? DOCUMENT_STATES[settings.documents[0].status] : null;
    case "password":
      return settings.hasPassword ? null : "None";
    case "email":
      return settings.waitingEmail ? "Not changed yet" : settings.email;
    case "data-saver":
      return isSaving ? "On" : "Off";
    default:
      return null;
  }
}
