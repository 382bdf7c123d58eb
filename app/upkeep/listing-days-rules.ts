/** A seller's figures by day and by listing: pure rules. */

/** For how many days the figures can be shown. */
export const FIGURE_DAYS = [7, 30, 90] as const;
export type FigureDays = (typeof FIGURE_DAYS)[number];

export function readFigureDays(text: string | null): FigureDays {
  return FIGURE_DAYS.find((days) => String(days) === text) ?? 30;
}

/** What listings bring, in the order in which it usually happens. */
export const FIGURES = ["views", "saves", "messages", "orders"] as const;
export type Figures = Record<(typeof FIGURES)[number], number>;

export const FIGURE_LABELS: Record<keyof Figures, string> = {
  views: "Views",
  saves: "Saves",
  messages: "Messages",
  orders: "Orders",
};

const NO_FIGURES: Figures = { views: 0, saves: 0, messages: 0, orders: 0 };

/** Days since 1970 in East Africa Time. */
export type DayFigures = Figures & { day: number };

/** Whether the days before these are known, too: counts are kept for the longest choice. */
export function hasDaysBefore(days: FigureDays): boolean {
  return 2 * days <= FIGURE_DAYS[2];
}

export function sumFigures(rows: readonly Figures[]): Figures {
  const sum = { ...NO_FIGURES };
  for (const row of rows) for (const figure of FIGURES) sum[figure] += row[figure];
  return sum;
}
