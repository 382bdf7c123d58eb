/** A meeting as a calendar file (RFC 5545). Pure. */
import { MINUTE_MS } from "#app/platform/duration-rules.ts";

/** How many bytes a line may have, without its line break. */
const LINE_MAX = 75;

export interface CalendarEvent {
  /** Identifies the event. A later file with the same id replaces it in the calendar. */
  uid: string;
  /** Higher after each change. */
  sequence: number;
  /** When the event was last changed, ms since 1970. */
  stamp: number;
  startsAt: number;
  title: string;
  place: string;
  /** Where to read more. */
  url: string;
}

/** How long a calendar keeps free for a meeting, in ms. */
const LENGTH_MS = 30 * MINUTE_MS;

/** The text of an .ics file with one event, and an alarm an hour before. */
export function calendarFile({ uid, sequence, stamp, startsAt, title, place, url }: CalendarEvent): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Chuoni//Meetings//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    "BEGIN:VEVENT",
    `UID:${uid}`,
    `SEQUENCE:${sequence}`,
    `DTSTAMP:${utcTime(stamp)}`,
    `DTSTART:${utcTime(startsAt)}`,
    `DTEND:${utcTime(startsAt + LENGTH_MS)}`,
    `SUMMARY:${escapeText(title)}`,
    `LOCATION:${escapeText(place)}`,
    `URL:${url}`,
    "STATUS:CONFIRMED",
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    "TRIGGER:-PT1H",
    `DESCRIPTION:${escapeText(title)}`,
    "END:VALARM",
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join("");
}

/** "20261119T110000Z" */
function utcTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
}

/** Backslashes, commas and semicolons have a meaning in a text, and a line break would end it. */
function escapeText(text: string): string {
  return text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r\n|[\r\n]/g, String.raw`\n`);
}

/** Breaks a long line: what follows continues on a line that starts with a space. Characters stay whole. */
function foldLine(line: string): string {
  const encoder = new TextEncoder();
  const parts: string[] = [];
  let part = "";
  let bytes = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (bytes + size > LINE_MAX) {
      parts.push(part);
      // The space at the beginning counts.
      [part, bytes] = ["", 1];
    }
    part += character;
    bytes += size;
  }
  return [...parts, part].join("\r\n ");
}
