import { dayStart } from "#app/platform/east-africa-time.ts";
import { formatDate } from "#app/ui/dates.ts";
import { chartTop } from "./sales-rules.ts";

/** The size of the viewBox. The page stretches it. */
const WIDTH = 600;
const HEIGHT = 120;

interface DayChartProps {
  /** Oldest first, up to today. `day`: days since 1970 in East Africa Time. */
  bars: readonly { day: number; height: number }[];
  /** What screen readers read instead. */
  label: string;
  /** Writes the number at the top. */
  top(highest: number): string;
}

/** One bar a day. A table with the exact numbers stands beside it. */
export function DayChart({ bars, label, top: write }: DayChartProps) {
  const top = chartTop(Math.max(...bars.map(({ height }) => height)));
  const step = WIDTH / bars.length;
  return (
    <>
      <div className="sales__plot">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
          {bars.map(({ day, height }, at) => {
            const bar = height === 0 ? 0 : Math.max(3, (height / top) * (HEIGHT - 4));
            return (
              bar > 0 && (
                <rect
                  key={day}
                  className="sales__bar"
                  x={at * step + step * 0.15}
                  y={HEIGHT - bar}
                  width={step * 0.7}
                  height={bar}
                  rx={2}
                />
              )
            );
          })}
        </svg>
        <span className="sales__top quiet numbers" aria-hidden="true">
          {write(top)}
        </span>
      </div>
      <div className="row row--apart quiet sales__dates" aria-hidden="true">
        <span>{formatDate(dayStart(bars[0]?.day ?? 0))}</span>
        <span>Today</span>
      </div>
    </>
  );
}
