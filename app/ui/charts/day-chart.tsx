import "./day-chart.css";
import { max, nice, ticks } from "d3-array";
import { line } from "d3-shape";
import { dayStart } from "#app/platform/east-africa-time.ts";
import { formatDate } from "#app/ui/dates.ts";
import type { ChartDay } from "./chart-rules.ts";

/** The size of the viewBox. The page stretches it. */
const WIDTH = 600;
const HEIGHT = 120;

/** "20K": the numbers beside a chart have little room. */
const SHORT = new Intl.NumberFormat("en", { notation: "compact" });

interface DayChartProps {
  /** What the bars count, above them: "Views by day". */
  title: string;
  /** Oldest first, up to today. */
  days: readonly ChartDay[];
  /** What screen readers read instead. */
  label: string;
  /** Writes a value: "KES 1,500". */
  write(value: number): string;
  /** Where the bars are no days: what they are called, and what the line beside them is. */
  words?: { nameOf(at: number): string; last: string; bars: string; line: string };
}

/** One bar a day, and the days before as a dashed line. A table with the exact numbers stands beside it. */
export function DayChart({ title, days, label, write, words }: DayChartProps) {
  const nameOf = words?.nameOf ?? ((day: number) => formatDate(dayStart(day)));
  const [, top] = nice(0, Math.max(1, max(days, ({ value, before }) => Math.max(value, before ?? 0)) ?? 1), 2);
  const step = WIDTH / days.length;
  const placeOf = (value: number) => HEIGHT * (1 - value / top);
  const before = line<ChartDay>(
    (_day, at) => (at + 0.5) * step,
    (day) => placeOf(day.before ?? 0),
  )(days.filter((day) => day.before !== null));
  return (
    <figure className="chart">
      <p aria-hidden="true">{title}</p>
      <div className="chart__plot">
        {ticks(0, top, 2)
          .filter(Number.isInteger)
          .map((tick) => (
            <span key={tick} className="chart__tick" style={{ bottom: share(tick, top) }} aria-hidden="true">
              <span className="quiet numbers">{SHORT.format(tick)}</span>
            </span>
          ))}
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
          {days.map(({ day, value }, at) => (
            <rect
              key={day}
              className="chart__bar"
              x={at * step + step * 0.15}
              y={placeOf(value)}
              width={step * 0.7}
              height={HEIGHT - placeOf(value)}
            >
              <title>{`${nameOf(day)}: ${write(value)}`}</title>
            </rect>
          ))}
          {before && <path className="chart__before" d={before} />}
        </svg>
      </div>
      <div className="chart__dates row row--apart quiet" aria-hidden="true">
        <span>{nameOf(days[0]?.day ?? 0)}</span>
        <span>{words?.last ?? "Today"}</span>
      </div>
      {before && (
        <figcaption className="chart__legend row quiet">
          <span>
            <span className="chart__key chart__key--now" /> {words?.bars ?? `These ${days.length} days`}
          </span>
          <span>
            <span className="chart__key chart__key--before" /> {words?.line ?? `The ${days.length} days before`}
          </span>
        </figcaption>
      )}
    </figure>
  );
}

function share(value: number, top: number): string {
  return `${(100 * value) / top}%`;
}
