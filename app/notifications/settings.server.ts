import { and, eq, isNotNull, not, sql } from "drizzle-orm";
import { build, hasRow, insertEach, pick } from "#app/db/build.ts";
import { read, write } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- nothing is chosen for a deleted account
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { notificationSettings } from "./tables.server.ts";
import type { QuietHours } from "./delivery-rules.ts";
import { type ChoiceGroup, type Choices, isOn, QUIET_AT_FIRST } from "./settings-rules.ts";

export interface NotificationSettings {
  choices: Choices;
  /** Null where they want push at any time. */
  quiet: QuietHours | null;
}

/** The columns of `readSettings`, to be joined from the left. */
export const settingsColumns = pick(notificationSettings, "choices", "quietFrom", "quietUntil");

type SettingsRow = { [K in keyof typeof settingsColumns]: (typeof notificationSettings.$inferSelect)[K] | null };

/** What applies to somebody: the row that they saved, or else what applies at first. */
export function readSettings(row: SettingsRow | undefined): NotificationSettings {
  if (!row?.choices) return { choices: {}, quiet: QUIET_AT_FIRST };
  const { choices, quietFrom: from, quietUntil: until } = row;
  return { choices, quiet: from === null || until === null ? null : { from, until } };
}

export async function findNotificationSettings(db: Database, userId: string): Promise<NotificationSettings> {
  const [row] = await db
    .select(settingsColumns)
    .from(notificationSettings)
    .where(eq(notificationSettings.userId, userId));
  return readSettings(row);
}

/** Saves what somebody changed. What they didn't change, also the quiet hours (undefined), stays as it is now. */
export async function saveNotificationSettings(
  { db, now }: Store,
  userId: string,
  { changes, quiet }: { changes: Choices; quiet: QuietHours | null | undefined },
): Promise<void> {
  const columnsOf = (hours: QuietHours | null) => ({
    quietFrom: hours?.from ?? null,
    quietUntil: hours?.until ?? null,
  });
  await write(db, [
    build
      .insert(notificationSettings)
      .values({
        userId,
        choices: changes,
        ...columnsOf(quiet === undefined ? QUIET_AT_FIRST : quiet),
        updatedAt: now(),
      })
      .onConflictDoUpdate({
        target: notificationSettings.userId,
        set: { choices: merged(changes), ...(quiet !== undefined && columnsOf(quiet)), updatedAt: now() },
      }),
  ]);
}

/**
 * Turns the emails of a group on or off for somebody, however often it is asked for. Null where the account is deleted.
 * One round trip.
 */
export async function turnEmails(
  { db, now }: Store,
  { userId, group, on }: { userId: string; group: ChoiceGroup; on: boolean },
): Promise<{ on: boolean } | null> {
  const change: Choices = { [`${group}.email`]: on };
  const { from, until } = QUIET_AT_FIRST;
  const { found } = await write(db, {
    changed: insertEach(
      notificationSettings,
      { userId: credentials.id, choices: change, quietFrom: from, quietUntil: until, updatedAt: now() },
      sql`FROM ${credentials} WHERE ${and(eq(credentials.id, userId), IS_THERE)}`,
    ).onConflictDoUpdate({ target: notificationSettings.userId, set: { choices: merged(change), updatedAt: now() } }),
    found: emailChoice(userId),
  });
  return readEmailChoice(found, group);
}

/** Whether somebody gets the emails of a group; null where the account is deleted. */
export async function findEmailChoice(
  db: Database,
  { userId, group }: { userId: string; group: ChoiceGroup },
): Promise<{ on: boolean } | null> {
  const found = await read(db, emailChoice(userId));
  return readEmailChoice(found, group);
}

/** SQL on credentials: the account isn't deleted. */
const IS_THERE = not(hasRow(profiles, and(eq(profiles.id, credentials.id), isNotNull(profiles.deletedAt))));

function emailChoice(userId: string) {
  return build
    .select({ choices: notificationSettings.choices })
    .from(credentials)
    .leftJoin(notificationSettings, eq(notificationSettings.userId, credentials.id))
    .where(and(eq(credentials.id, userId), IS_THERE));
}

function readEmailChoice([row]: readonly { choices: Choices | null }[], group: ChoiceGroup): { on: boolean } | null {
  return row ? { on: isOn(row.choices ?? {}, `${group}.email`) } : null;
}

/** SQL: the saved choices with these changes. */
function merged(changes: Choices) {
  return sql`json_patch(${notificationSettings.choices}, ${JSON.stringify(changes)})`;
}
