import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { harmOf } from "#app/moderation/moderation-rules.ts";

const FOLDER = resolve(import.meta.dirname, "../../migrations");
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .toSorted();
const AT = NAMES.findIndex((name) => name.includes("reports_of_people_become_cases"));

test("reports of conversations become cases about the person, and closed ones count against nobody", () => {
  const db = new DatabaseSync(":memory:", { enableForeignKeyConstraints: false });
  const migrate = (names: string[]) => {
    for (const name of names) db.exec(readFileSync(resolve(FOLDER, name), "utf8"));
  };
  migrate(NAMES.slice(0, AT));
  db.exec(`INSERT INTO message_reports (id, user_id, thread, reported_id, reason, status, outcome, created_at, closed_at) VALUES
    ('a', 'buyer', 'buyer:kip', 'kip', 'Rude', 'open', NULL, 1, NULL),
    ('b', 'other', 'kip:other', 'kip', 'Asks for money', 'open', NULL, 2, NULL),
    ('c', 'buyer', 'buyer:kip', 'kip', 'Old', 'closed', 'We talked to him', 3, 4)`);
  migrate(NAMES.slice(AT));
  const rows = (query: string) =>
    db
      .prepare(query)
      .all()
      .map((row) => ({ ...row }));
  expect(
    rows(
      "SELECT id, subject, subject_id AS about, state, harm, reports, decision, statement, closed_at AS closedAt FROM moderation_cases ORDER BY id",
    ),
  ).toEqual([
    {
      id: "a",
      subject: "person",
      about: "kip",
      state: "open",
      harm: harmOf({ reasons: ["other", "other"], upheld: 0 }),
      reports: 2,
      decision: null,
      statement: null,
      closedAt: null,
    },
    {
      id: "c",
      subject: "person",
      about: "kip",
      state: "closed",
      harm: harmOf({ reasons: ["other"], upheld: 0 }),
      reports: 1,
      decision: "dismissed",
      statement: "We talked to him",
      closedAt: 4,
    },
  ]);
  expect(rows("SELECT case_id AS about, reporter_id AS reporter, reason, text FROM reports ORDER BY id")).toEqual([
    { about: "a", reporter: "buyer", reason: "other", text: "Rude" },
    { about: "a", reporter: "other", reason: "other", text: "Asks for money" },
    { about: "c", reporter: "buyer", reason: "other", text: "Old" },
  ]);
  expect(rows("SELECT id FROM message_reports")).toEqual([]);
  expect(new Set(rows("SELECT appeal_token FROM moderation_cases").map((row) => row.appeal_token)).size).toBe(2);
});
