import type { SettingsRow } from "./settings-sections.ts";

/** The rows of the settings that are screens of their own. The others are parts of the settings' screen. */
const SETTINGS_SCREENS = {
  "two-step": "/settings/two-step",
  notifications: "/settings/notifications",
  invite: "/invite",
  serials: "/serials",
} as const satisfies Partial<Record<SettingsRow, string>>;

export type SettingsScreen = keyof typeof SETTINGS_SCREENS;

/** The address of a row, or of the list. */
export function settingsPath(row?: SettingsRow): string {
  if (row === undefined) return "/profile?tab=settings";
  return isSettingsScreen(row) ? SETTINGS_SCREENS[row] : `/profile?tab=settings&section=${row}`;
}

export function isSettingsScreen(row: SettingsRow): row is SettingsScreen {
  return Object.hasOwn(SETTINGS_SCREENS, row);
}
