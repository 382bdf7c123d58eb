import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { harmOf } from "#app/moderation/moderation-rules.ts";

const FOLDER = resolve(import.meta.dirname, "../../migrations");
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".sql"))
  .toSorted();
const placeOf = (name: string) => NAMES.findIndex((file) => file.includes(name));
const AT = placeOf("reports_of_people_become_cases");

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

test("the reports of decided cases stop no money, and those of open ones still do", () => {
  const db = new DatabaseSync(":memory:", { enableForeignKeyConstraints: false });
  const migrate = (names: string[]) => {
    for (const name of names) db.exec(readFileSync(resolve(FOLDER, name), "utf8"));
  };
  const at = placeOf("lift_reports_of_decided_cases");
  migrate(NAMES.slice(0, at));
  db.exec(`INSERT INTO moderation_cases (id, subject, subject_id, reported_id, state, appeal_token, decided_at, created_at, updated_at) VALUES
      ('open', 'person', 'kip', 'kip', 'open', 'a', NULL, 1, 1), ('decided', 'person', 'kip', 'kip', 'decided', 'b', 5, 1, 9), ('closed', 'person', 'kip', 'kip', 'closed', 'c', NULL, 1, 7);
    INSERT INTO reports (id, case_id, reporter_id, reason, lifted_at, created_at) VALUES
      ('a', 'open', 'x', 'scam', NULL, 1), ('b', 'decided', 'x', 'scam', NULL, 1), ('c', 'closed', 'x', 'scam', NULL, 1), ('d', 'decided', 'y', 'scam', 3, 1)`);
  migrate(NAMES.slice(at));
  expect(
    db
      .prepare("SELECT id, lifted_at AS lifted FROM reports ORDER BY id")
      .all()
      .map(({ id, lifted }) => [id, lifted]),
  ).toEqual([
    ["a", null],
    ["b", 5],
    ["c", 7],
    ["d", 3],
  ]);
});
