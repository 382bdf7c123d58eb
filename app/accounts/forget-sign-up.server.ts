import { type SQL, sql } from "drizzle-orm";

/**
 * For the batch in which the owner of an address comes in by another way than the link of its sign-up, before it counts as
 * confirmed: somebody else may have signed up with it, by mistake or not. What they said of themselves, and the papers they sent,
 * are not the owner's to use or to see; who owns the address completes the profile. Changes nothing where it was confirmed before.
 * The files themselves are the daily sweep's.
 */
export function forgetSignUp(userId: string, now: number): SQL[] {
  const unconfirmed = sql`EXISTS (SELECT 1 FROM credentials WHERE id = ${userId} AND email_confirmed_at IS NULL)`;
  return [
    sql`UPDATE uploads SET attached_at = NULL WHERE owner_id = ${userId} AND bucket = 'documents' AND ${unconfirmed}`,
    sql`DELETE FROM verification_documents WHERE user_id = ${userId} AND ${unconfirmed}`,
    sql`UPDATE wholesaler_details SET verification_status = 'pending' WHERE user_id = ${userId} AND ${unconfirmed}`,
    sql`UPDATE profiles SET full_name = '', phone = NULL, campus_location = NULL, campus_location_id = NULL, verification_status = 'pending', updated_at = ${now}
      WHERE id = ${userId} AND ${unconfirmed}`,
    sql`UPDATE credentials SET metadata = '{}', updated_at = ${now} WHERE id = ${userId} AND email_confirmed_at IS NULL`,
  ];
}
