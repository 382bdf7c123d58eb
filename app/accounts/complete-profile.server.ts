import { sql } from "drizzle-orm";
import { z } from "zod";
import { commitBatch } from "#app/db/batch.ts";
import type { Database, Store } from "#app/db/client.ts";
import { type Campus, listCampuses, matchCampus } from "./campuses.server.ts";
import { reviewNewName } from "./member.server.ts";
import { PHONE_REFUSALS, savePhone } from "./payout-phone.server.ts";
import { displayPhone, readPhone } from "./phone.ts";
import { checkProfile, type ProfileErrors, type ProfileValues } from "./sign-up-rules.ts";

const text = z.string().catch("");
const metadataSchema = z.object({
  full_name: text,
  phone: text,
  campus_location: text,
  is_seller: z.boolean().catch(false),
});

export interface ProfilePrefill {
  values: ProfileValues;
  campuses: Campus[];
  /** Wholesalers are sellers from the start. */
  isWholesaler: boolean;
}

/** The first values of the profile screen: from the profile, from sign-up or from Google. */
export async function readProfilePrefill(db: Database, userId: string): Promise<ProfilePrefill> {
  const [row] = await db.all<{
    metadata: string;
    fullName: string | null;
    phone: string | null;
    campus: string | null;
    isSeller: number | null;
    accountType: string | null;
  }>(
    sql`SELECT c.metadata, p.full_name AS fullName, p.phone, p.campus_location AS campus, p.is_seller AS isSeller, p.account_type AS accountType
      FROM credentials c LEFT JOIN profiles p ON p.id = c.id WHERE c.id = ${userId}`,
  );
  if (!row) throw new Error("a signed-in user has no account");
  const said = metadataSchema.parse(parseObject(row.metadata));
  return {
    values: {
      fullName: row.fullName || said.full_name,
      phone: displayPhone(row.phone ?? said.phone),
      campusLocation: row.campus ?? said.campus_location,
      isSeller: row.isSeller === 1 || said.is_seller,
    },
    campuses: await listCampuses(db),
    isWholesaler: row.accountType === "wholesaler",
  };
}

function parseObject(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

/**
 * Saves the account's metadata and the profile, which is created if it is missing. Wholesalers stay sellers. Without a
 * phone, the known one stays.
 */
export async function completeProfile(
  store: Store,
  userId: string,
  values: ProfileValues,
): Promise<{ ok: true } | { ok: false; errors: ProfileErrors }> {
  const errors = checkProfile(values);
  if (Object.keys(errors).length > 0) return { ok: false, errors };
  const now = store.now();
  const phone = readPhone(values.phone);
  const { campusLocation, campusLocationId } = matchCampus(await listCampuses(store.db), values.campusLocation);
  const metadata = {
    full_name: values.fullName,
    phone: phone.ok ? phone.phone : null,
    campus_location: campusLocation,
    campus_location_id: campusLocationId,
  };
  const writeProfile = [
    ...reviewNewName(userId, values.fullName),
    sql`UPDATE credentials SET metadata = json_set(json_patch(metadata, ${JSON.stringify(metadata)}), '$.is_seller', json(${values.isSeller ? "true" : "false"})), updated_at = ${now}
      WHERE id = ${userId}`,
    sql`INSERT INTO profiles (id, full_name, email, campus_location, campus_location_id, is_seller, is_google_user, onboarding_completed, profile_completed_at, created_at, updated_at)
      SELECT id, ${values.fullName}, email, ${campusLocation}, ${campusLocationId}, ${values.isSeller}, google_subject IS NOT NULL, 1, ${now}, ${now}, ${now}
      FROM credentials WHERE id = ${userId}
      ON CONFLICT (id) DO UPDATE SET full_name = excluded.full_name, campus_location = excluded.campus_location,
        campus_location_id = excluded.campus_location_id,
        is_seller = CASE WHEN profiles.account_type = 'wholesaler' THEN 1 ELSE excluded.is_seller END,
        email = excluded.email, is_google_user = excluded.is_google_user, onboarding_completed = 1,
        profile_completed_at = COALESCE(profiles.profile_completed_at, excluded.profile_completed_at), updated_at = excluded.updated_at`,
  ];
  if (!phone.ok) {
    await commitBatch(store.db, writeProfile);
    return { ok: true };
  }
  const saved = await savePhone(store, { userId, phone: phone.phone, passwordHash: null }, writeProfile);
  return saved.ok ? { ok: true } : { ok: false, errors: { phone: PHONE_REFUSALS[saved.code] } };
}
