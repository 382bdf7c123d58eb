/** East Africa Time is UTC+3 all year round (Daraja facts §3.1). */
const OFFSET_MS = 3 * 60 * 60 * 1000;

interface KenyaTime {
  year: string;
  month: string;
  day: string;
  hour: string;
  minute: string;
  second: string;
}

function kenyaTime(ms: number): KenyaTime {
  const iso = new Date(ms + OFFSET_MS).toISOString();
  return {
    year: iso.slice(0, 4),
    month: iso.slice(5, 7),
    day: iso.slice(8, 10),
    hour: iso.slice(11, 13),
    minute: iso.slice(14, 16),
    second: iso.slice(17, 19),
  };
}

/** `YYYYMMDDHHmmss` in East Africa Time, as TransactionDate carries it (Daraja facts §3.4). */
export function stampOf(ms: number): string {
  const t = kenyaTime(ms);
  return t.year + t.month + t.day + t.hour + t.minute + t.second;
}

/** `DDMMYYYYHHmmss` in East Africa Time, as a CheckoutRequestID carries it (Daraja facts §3.2). */
export function dayFirstStampOf(ms: number): string {
  const t = kenyaTime(ms);
  return t.day + t.month + t.year + t.hour + t.minute + t.second;
}

/** `DD.MM.YYYY HH:mm:ss` in East Africa Time, as payout results carry it (Daraja facts §5.4). */
export function dottedTimeOf(ms: number): string {
  const t = kenyaTime(ms);
  return `${t.day}.${t.month}.${t.year} ${t.hour}:${t.minute}:${t.second}`;
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

/** "14:05" in East Africa Time. */
export function clockOf(ms: number): string {
  const t = kenyaTime(ms);
  return `${t.hour}:${t.minute}`;
}

/** Whether the text is a `YYYYMMDDHHmmss` that names a real moment. Its zone goes unchecked, as on the wire (Daraja facts §3.1). */
export function isStamp(text: string): boolean {
  const parts = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(text);
  if (!parts) return false;
  const [, year, month, day, hour, minute, second] = parts.map(Number);
  const ms = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!);
  return stampOf(ms - OFFSET_MS) === text;
}
