import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { changeText, chartDays } from "#app/ui/charts/chart-rules.ts";
import { DayChart } from "#app/ui/charts/day-chart.tsx";

const counts = fc.dictionary(fc.integer({ min: 20_000, max: 20_200 }).map(String), fc.nat(2_000_000));
const readValues = (counted: Record<string, number>) =>
  new Map(Object.entries(counted).map(([day, value]) => [Number(day), value]));

test("a chart has each day up to today once, beside the day as long before", () => {
  fc.assert(
    fc.property(counts, fc.constantFrom(7, 30, 90), (counted, length) => {
      const values = readValues(counted);
      const today = 20_190;
      const days = chartDays(values, today, length);
      expect(days.map(({ day }) => day)).toEqual(Array.from({ length }, (_, at) => today - length + 1 + at));
      for (const { day, value, before } of days)
        expect([value, before]).toEqual([values.get(day) ?? 0, values.get(day - length) ?? 0]);
    }),
  );
});

test("no bar or line leaves the chart, and its numbers are whole", () => {
  fc.assert(
    fc.property(counts, (counted) => {
      const days = chartDays(readValues(counted), 20_190, 30);
      const html = renderToStaticMarkup(<DayChart days={days} title="Views" label="Views" write={String} />);
      const tops = [...html.matchAll(/ y="([^"]+)"/g)].map(([, y]) => Number(y));
      expect(tops).toHaveLength(30);
      expect(tops.every((y) => y >= 0 && y <= 120)).toBe(true);
      const points = [...(/ d="([^"]+)"/.exec(html)?.[1] ?? "").matchAll(/,([-\d.]+)/g)].map(([, y]) => Number(y));
      expect(points.every((y) => y >= 0 && y <= 120)).toBe(true);
      expect(html).not.toContain("NaN");
      const written = [...html.matchAll(/quiet numbers">([^<]*)</g)].map(([, number]) => number);
      expect(written.length).toBeGreaterThan(1);
      for (const number of written) expect(number).toMatch(/^[\d.]+[KM]?$/);
    }),
  );
});

test("without the days before, there is no line and no legend", () => {
  const days = chartDays(new Map([[20_190, 3]]), 20_190, 90).map((day) => ({ ...day, before: null }));
  const html = renderToStaticMarkup(<DayChart days={days} title="Views" label="Views" write={String} />);
  expect(html).not.toMatch(/<path|<figcaption/);
});

test("a change is said only where there was something before", () => {
  expect([changeText(12, 10), changeText(8, 10), changeText(10, 10), changeText(0, 4)]).toEqual([
    "+20 %",
    "−20 %",
    "±0 %",
    "−100 %",
  ]);
  expect([changeText(5, 0), changeText(5, null)]).toEqual([null, null]);
});
