/** How the notification centre orders what somebody was told. */
import { dayOf } from "#app/platform/east-africa-time.ts";

interface Told {
  id: string;
  /** What it is about; null for nothing that has a place. */
  thing: string | null;
  /** Ms since 1970. */
  createdAt: number;
}

/** What was told on one day about one thing, newest first. */
export interface Group<T> {
  id: string;
  entries: T[];
}

/** Newest day first; in a day, the thing with the newest notification first. `entries` come newest first. */
export function groupByDay<T extends Told>(entries: readonly T[]): { day: number; groups: Group<T>[] }[] {
  const days = new Map<number, Map<string, T[]>>();
  for (const entry of entries) {
    const day = dayOf(entry.createdAt);
    const groups = days.get(day) ?? new Map<string, T[]>();
    const about = entry.thing ?? entry.id;
    groups.set(about, [...(groups.get(about) ?? []), entry]);
    days.set(day, groups);
  }
  return [...days].map(([day, groups]) => ({
    day,
    groups: [...groups].map(([id, together]) => ({ id, entries: together })),
  }));
}
