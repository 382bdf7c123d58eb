import { type SQL, sql } from "drizzle-orm";

/**
 * Erases what was entered at a sign-up whose email isn't confirmed yet. It belongs in the batch in which the owner of
 * the email gets in without the sign-up's link, because somebody else may have signed up with that email. The owner
 * must not see or use their details and documents, and completes the profile instead. Does nothing if the email was
 * confirmed before. The daily sweep deletes the files.
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
