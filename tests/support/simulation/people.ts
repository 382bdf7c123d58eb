/** The people of a simulation. */
import { type SQL, sql } from "drizzle-orm";

export interface Person {
  id: string;
  phone: string | null;
}

/** The statements that add a person's account. `at`: since when, ms since 1970. */
export function personStatements({ id, phone }: Person, at: number): SQL[] {
  const email = `${id}@campus.test`;
  return [
    sql`INSERT INTO credentials (id, email, session_epoch, created_at, updated_at)
      VALUES (${id}, ${email}, 1, ${at}, ${at})`,
    sql`INSERT INTO profiles (id, email, full_name, search_name, phone, created_at, updated_at)
      VALUES (${id}, ${email}, 'Wanjiku', 'wanjiku', ${phone}, ${at}, ${at})`,
  ];
}
