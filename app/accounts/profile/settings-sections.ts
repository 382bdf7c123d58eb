/** The short pages of a user's settings, in the order of their list. */
import type { IconName } from "#app/ui/pictures/icon-names.ts";
import { isSettingsScreen, type SettingsScreen } from "./settings-path.ts";

interface Section {
  title: string;
  icon: IconName;
}

const SECTIONS = {
  details: { title: "Your details", icon: "user-round" },
  documents: { title: "Verification documents", icon: "graduation-cap" },
  password: { title: "Password", icon: "lock" },
  email: { title: "Email", icon: "mail" },
  "two-step": { title: "Two-step login", icon: "shield-check" },
  devices: { title: "Devices", icon: "smartphone" },
  notifications: { title: "Notifications", icon: "bell" },
  "data-saver": { title: "Data saver", icon: "gauge" },
  invite: { title: "Bring a friend", icon: "send" },
  serials: { title: "Was it stolen?", icon: "search" },
  help: { title: "Help", icon: "info" },
  "my-data": { title: "My data", icon: "file-text" },
  delete: { title: "Delete my account", icon: "trash-2" },
} as const satisfies Record<string, Section>;

/** A page of the settings, or a screen of its own. */
export type SettingsRow = keyof typeof SECTIONS;
/** A part of the settings' screen. */
export type SettingsSection = Exclude<SettingsRow, SettingsScreen>;

/** The rows of the list, by what they are about. */
export const SETTINGS_GROUPS: readonly (readonly SettingsRow[])[] = [
  ["details", "documents"],
  ["password", "email", "two-step", "devices"],
  ["notifications", "data-saver"],
  ["invite", "serials", "help", "my-data", "delete"],
];

export const settingsRow = (row: SettingsRow): Section => SECTIONS[row];

/** The section that an address names; null for the list. */
export function readSettingsSection(text: string | null): SettingsSection | null {
  if (text === null || !Object.hasOwn(SECTIONS, text)) return null;
  const row = text as SettingsRow;
  return isSettingsScreen(row) ? null : row;
}

/** Where a form of the settings stands. Some sections have several. */
const SECTION_OF_FORM: Partial<Record<string, SettingsSection>> = {
  details: "details",
  photo: "details",
  document: "documents",
  password: "password",
  "password-link": "password",
  email: "email",
  "email-again": "email",
  "student-link": "documents",
  "email-cancel": "email",
  "email-shown": "email",
  "sign-out-everywhere": "devices",
  "data-saver": "data-saver",
  delete: "delete",
};

/** The section with this form (`intent`). */
export function sectionOfForm(intent: string): SettingsSection | null {
  return SECTION_OF_FORM[intent] ?? null;
}
