/** M-Pesa's time formats, always in East Africa Time. `ms` since 1970. */
import { inEastAfrica } from "#app/platform/east-africa-time.ts";

interface KenyaTime {
  year: string;
  month: string;
  day: string;
  hour: string;
  minute: string;
  second: string;
}

function kenyaTime(ms: number): KenyaTime {
  const iso = inEastAfrica(ms).toISOString();
  return {
    year: iso.slice(0, 4),
    month: iso.slice(5, 7),
    day: iso.slice(8, 10),
    hour: iso.slice(11, 13),
    minute: iso.slice(14, 16),
    second: iso.slice(17, 19),
  };
}

/** `DDMMYYYYHHmmss`, as in a CheckoutRequestID. */
export function dayFirstStampOf(ms: number): string {
  const t = kenyaTime(ms);
  return t.day + t.month + t.year + t.hour + t.minute + t.second;
}

/** `DD.MM.YYYY HH:mm:ss`, as in the result of a payout. */
export function dottedTimeOf(ms: number): string {
  const t = kenyaTime(ms);
  return `${t.day}.${t.month}.${t.year} ${t.hour}:${t.minute}:${t.second}`;
}

/** `DD-MM-YYYY HH:mm:ss`, as in a statement. */
export function dashedTimeOf(ms: number): string {
  return dottedTimeOf(ms).replaceAll(".", "-");
}

/** Date and time as M-PESA writes them in a message: "21/11/26" and "2:05 PM". */
export function messageTimeOf(ms: number): { date: string; time: string } {
  const t = kenyaTime(ms);
  const hour = Number(t.hour);
  const half = hour < 12 ? "AM" : "PM";
  return {
    date: `${Number(t.day)}/${Number(t.month)}/${t.year.slice(2)}`,
    time: `${hour % 12 === 0 ? 12 : hour % 12}:${t.minute} ${half}`,
  };
}

/** "14:05". */
export function clockOf(ms: number): string {
  const t = kenyaTime(ms);
  return `${t.hour}:${t.minute}`;
}
