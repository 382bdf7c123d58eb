import { env } from "cloudflare:workers";
import { expect } from "vitest";

/** Their proof holds. No test plays a year, so the real clock will do. */
const IS_DATED = "(p.student_until IS NULL OR p.student_until > unixepoch() * 1000)";

/** What breaks the rules of levels, as queries for ids: written another way than in `afterVerifiedChanged`. */
export const BROKEN_LEVELS = {
  "a level isn't what was verified": `SELECT p.id FROM profiles p JOIN credentials c ON c.id = p.id
    WHERE p.verified_level <> CASE
      WHEN p.deleted_at > 0 THEN 'none'
      WHEN p.verification_status = 'approved' AND (p.account_type = 'wholesaler' OR ${IS_DATED})
        THEN json_extract('{"student":"student","wholesaler":"business"}', '$.' || p.account_type)
      WHEN c.email_confirmed_at IS NULL THEN 'none'
      WHEN p.account_type = 'student' AND ${IS_DATED} AND EXISTS (SELECT 1 FROM university_domains d
        WHERE c.email LIKE '%@' || d.domain OR c.email LIKE '%@%.' || d.domain) THEN 'student'
      ELSE 'email' END`,
  "a listing's mark isn't what was verified about its seller": `SELECT l.id FROM products l
    JOIN profiles p ON p.id = l.seller_id
    WHERE l.seller_verified <> (p.verified_level IN ('student', 'business'))`,
} as const;

/** Everybody's level, and the mark of every listing, are what the rule says. */
export async function expectLevels(): Promise<void> {
  const found = await env.DB.batch(Object.values(BROKEN_LEVELS).map((query) => env.DB.prepare(query)));
  expect(found.map(({ results }) => results)).toEqual([[], []]);
}
