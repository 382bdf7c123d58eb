/** Where people meet on the demo campuses. */
import { idOf } from "./chance.ts";
import type { Row } from "./rows.ts";

type Point = [name: string, opens: number, closes: number, weekdaysOnly?: boolean, isGuarded?: boolean];

/** By the campus's id, as the migrations number them. Hours of the day. */
const POINTS: Record<number, readonly Point[]> = {
  1: [
    ["Main library, front steps", 8, 21],
    ["Student centre, ground floor", 7, 20],
    ["Main gate, security desk", 6, 22, false, true],
    ["Science block, reception", 8, 17, true],
  ],
  2: [
    ["City Campus library, entrance", 8, 20],
    ["Cafeteria, by the till", 7, 19],
    ["Gate A, security desk", 6, 21],
    ["Administration block, reception", 8, 17, true],
  ],
  3: [
    ["Law library, entrance", 8, 21],
    ["Parklands cafeteria terrace", 7, 19],
    ["Hostel 2, reception", 6, 22],
    ["Dean's office, waiting area", 8, 16, true],
  ],
  4: [
    ["Resource centre, front desk", 8, 20],
    ["Westlands canteen", 7, 19],
    ["Main gate, waiting bench", 6, 21],
    ["Registry, reception", 8, 17, true],
  ],
};

export function meetingPointId(campus: number, name: string): string {
  return idOf(`meeting point ${campus} ${name}`);
}

export function meetingPointRows(now: number): Row<"meetingPoints">[] {
  return Object.entries(POINTS).flatMap(([campus, points]) =>
    points.map(([name, opens, closes, weekdaysOnly = false, isGuarded = false]) => ({
      id: meetingPointId(Number(campus), name),
      campusId: Number(campus),
      name,
      opensAt: opens * 60,
      closesAt: closes * 60,
      weekdaysOnly,
      isGuarded,
      createdAt: now,
    })),
  );
}
