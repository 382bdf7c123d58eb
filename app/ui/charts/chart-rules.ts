/** What charts of days and their comparisons show: pure rules. */

/** A day of a chart. */
export interface ChartDay {
  /** Days since 1970 in East Africa Time. */
  day: number;
  value: number;
  /** The same day of the period before; null where nobody knows it. */
  before: number | null;
}

/**
 * The last `count` days up to `today`, oldest first, beside those before them; a day that `values` lacks stands at 0.
 */
export function chartDays(values: ReadonlyMap<number, number>, today: number, count: number): ChartDay[] {
  return Array.from({ length: count }, (_, at) => {
    const day = today - count + 1 + at;
    return { day, value: values.get(day) ?? 0, before: values.get(day - count) ?? 0 };
  });
}

/** How much a number has changed, in whole percent: "+12 %". Null where there was nothing, or where it is unknown. */
export function changeText(now: number, before: number | null): string | null {
  if (before === null || before === 0) return null;
  const percent = Math.round((100 * (now - before)) / before);
  if (percent === 0) return "±0 %";
  return percent > 0 ? `+${percent} %` : `−${-percent} %`;
}
