import { isOpenAccount } from "#app/accounts/open-account.server.ts";
import { PERSON_COPY } from "./person-copy.server.ts";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { z } from "zod";
import { expectThat, write } from "#app/db/batch.ts";
import { build, idList } from "#app/db/build.ts";
import { copyEdited } from "#app/db/copies.ts";
import type { Database, Store } from "#app/db/client.ts";
import { credentials, profiles } from "#app/accounts/tables.server.ts";
import { type Campus, listCampuses, matchCampus } from "./campuses.server.ts";
import { reviewNewName } from "#app/accounts/member.server.ts";
import { isAsRead, type OwnDetails } from "./own-details.server.ts";
import { PHONE_REFUSALS, savePhone } from "./payout-phone.server.ts";
import { displayPhone, readPhone } from "./phone.ts";
import { ensureProfile } from "#app/accounts/login/sign-in.server.ts";
import { checkProfile } from "#app/accounts/login/sign-up-checks.ts";
import type { ProfileErrors, ProfileValues } from "#app/accounts/login/sign-up-rules.ts";
import { nameColumns } from "#app/accounts/trust/person-name-rules.ts";
import { afterVerifiedChanged } from "#app/accounts/trust/verified-effects.server.ts";

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
  const [row] = await db
    .select({
      metadata: credentials.metadata,
      fullName: profiles.fullName,
      phone: profiles.phone,
      campus: profiles.campusLocation,
      isSeller: profiles.isSeller,
      accountType: profiles.accountType,
    })
    .from(credentials)
    .leftJoin(profiles, eq(profiles.id, credentials.id))
    .where(eq(credentials.id, userId));
  if (!row) throw new Error("a signed-in user has no account");
  const said = metadataSchema.parse(parseObject(row.metadata));
  return {
    values: {
      fullName: row.fullName || said.full_name,
      phone: displayPhone(row.phone ?? said.phone),
      campusLocation: row.campus ?? said.campus_location,
      isSeller: row.isSeller || said.is_seller,
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
 * phone, the known one stays. `mergedWith`: what the values were merged with.
 * @throws PreconditionFailed where somebody changed the profile since `mergedWith` was read
 */
export async function completeProfile(
  store: Store & { passwordPepper: string },
  userId: string,
  values: ProfileValues,
  mergedWith?: OwnDetails,
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
  const isSeller = values.isSeller ? "true" : "false";
  const merged = sql`json_patch(${credentials.metadata}, ${JSON.stringify(metadata)})`;
  const writeProfile = [
    expectThat(isOpenAccount(userId)),
    ...reviewNewName(userId, values.fullName),
    build
      .update(credentials)
      .set({
        metadata: sql`json_set(${merged}, '$.is_seller', json(${isSeller}))`,
        updatedAt: now,
      })
      .where(eq(credentials.id, userId)),
    ensureProfile(userId, now),
    build
      .update(profiles)
      .set({
        ...nameColumns(values.fullName),
        campusLocation,
        campusLocationId,
        isSeller: sql`CASE WHEN ${profiles.accountType} = 'wholesaler' THEN 1 ELSE ${values.isSeller} END`,
        email: sql`${credentials.email}`,
        isGoogleUser: isNotNull(credentials.googleSubject),
        onboardingCompleted: true,
        profileCompletedAt: sql`COALESCE(${profiles.profileCompletedAt}, ${now})`,
        updatedAt: now,
      })
      .from(credentials)
      .where(and(eq(profiles.id, userId), eq(credentials.id, profiles.id))),
    ...afterVerifiedChanged(idList(userId), now),
    copyEdited(PERSON_COPY, idList(userId), now),
  ];
  const guard = mergedWith === undefined ? undefined : isAsRead(userId, mergedWith);
  if (!phone.ok) {
    await write(store.db, [...(guard ? [expectThat(guard)] : []), ...writeProfile]);
    return { ok: true };
  }
  const number = { userId, phone: phone.phone, passwordHash: null, isAsRead: guard };
  const saved = await savePhone(store, number, writeProfile);
  return saved.ok ? { ok: true } : { ok: false, errors: { phone: PHONE_REFUSALS[saved.code] } };
}
