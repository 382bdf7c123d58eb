/** One table says what is deleted with age, and everything else follows it. */
import { globSync, readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { SESSION_LIFE_S } from "#app/accounts/login/account-rules.ts";
import { APPEAL_DAYS } from "#app/moderation/cases/case-rules.ts";
import { periodText, RETENTION, retainedTexts } from "#app/platform/retention-rules.ts";
import { PrivacyView } from "#app/screens/privacy/privacy-view.tsx";
import { FIGURE_DAYS } from "#app/upkeep/listing-days-rules.ts";

const DAY_MS = 24 * 60 * 60_000;
const NAMES = Object.keys(RETENTION) as (keyof typeof RETENTION)[];
/** What runs where the database and the buckets are. */
const sources = globSync(["app/**/*.server.ts", "app/db/**/*.ts", "workers/jobs/*.ts"]).map((file) => ({
  file,
  text: readFileSync(file, "utf8"),
}));

/** Times that aren't periods of deletion, in files that also delete, and what they are. */
const OTHER_TIMES: Record<string, string> = {
  "app/admin/operations/alarms.server.ts: TRANSFER_LATE_MS": "since when a transfer is late",
  "app/admin/operations/alarms.server.ts: EMAIL_LATE_MS": "since when an email is late",
  "app/payments/answers/callbacks.server.ts: 5_000": "since when a stored callback should have been applied",
  "app/notifications/push/push-subscriptions.server.ts: HOUR_MS": "a visit is noted once an hour",
};

test("nothing that deletes rows or files compares their age with a number of its own", () => {
  const deletes = sources.filter(({ text }) => /\.delete\(|DELETE FROM/.test(text));
  expect(deletes.length).toBeGreaterThan(20);
  const found = deletes.flatMap(({ file, text }) =>
    [...text.matchAll(/(?:\blte?\(|< |const \w+ = )[^;]*?(?:\bnow(?:\(\))?|\bat) - (?!RETENTION\.)([\w.]+)/g)].map(
      ([statement, than]) => ({ statement, name: `${file}: ${than}` }),
    ),
  );
  // What is newer than a time (`gt`) is no deletion.
  const older = found.filter(({ statement }) => !/\bgte?\([^;]*$/.test(statement)).map(({ name }) => name);
  expect(older.filter((name) => !(name in OTHER_TIMES))).toEqual([]);
});

test("each period is used by the code that deletes, once", () => {
  const users = (name: string) =>
    sources.filter(({ text }) => text.includes(`RETENTION.${name}.keptMs`)).map(({ file }) => file);
  // Cloudflare KV deletes sessions, for so long as the code asks it to.
  const kept = NAMES.filter((name) => RETENTION[name].by !== "kv");
  expect(kept.filter((name) => users(name).length !== 1)).toEqual([]);
});

test("the job that deletes is one of the schedule's", () => {
  const schedule = readFileSync("workers/jobs/schedule.ts", "utf8");
  for (const name of NAMES) if (RETENTION[name].by !== "kv") expect(schedule).toContain(`["${RETENTION[name].by}", `);
});

test("a period is as long as what needs it", () => {
  expect(RETENTION.sessions.keptMs).toBe(SESSION_LIFE_S * 1000);
  expect(RETENTION.ended_sessions.keptMs).toBeGreaterThan(SESSION_LIFE_S * 1000);
  expect(RETENTION.evidence.keptMs).toBe(APPEAL_DAYS * DAY_MS);
  expect(RETENTION.listing_days.keptMs).toBe(Math.max(...FIGURE_DAYS) * DAY_MS);
});

test("docs/growth.md shows the table", () => {
  const [, shown = ""] =
    /\| what \| kept \| why \| by \|\n\|---\|---\|---\|---\|\n((?:\|.*\n)+)/.exec(
      readFileSync("docs/growth.md", "utf8"),
    ) ?? [];
  const rows = retainedTexts().map(
    ({ what, period, since, why, by }) => `| ${what} | ${period} after ${since} | ${why} | ${by} |`,
  );
  expect(shown.trim().split("\n")).toEqual(rows);
});

test("the Privacy Policy tells people what is about them", () => {
  const page = renderToStaticMarkup(
    <MemoryRouter>
      <PrivacyView
        controller={{ name: "Chuoni Limited", address: "Nairobi", registration: "" }}
        supportEmail="support@chuoni.co.ke"
        processors={[]}
      />
    </MemoryRouter>,
  );
  const told = retainedTexts().filter(({ what, period, since }) =>
    page.includes(`${what}: ${period} after ${since}.`.replaceAll("'", "&#x27;")),
  );
  expect(told).toEqual(retainedTexts().filter(({ isPersonal }) => isPersonal));
  expect(told.length).toBeGreaterThan(5);
});

test("a period in words", () => {
  expect([60 * 60_000, DAY_MS, 90 * DAY_MS].map(periodText)).toEqual(["1 hour", "1 day", "90 days"]);
});
