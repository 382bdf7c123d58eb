import "./deals.css";
import type { HistoryLine } from "#app/deals/words/history-words.ts";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { formatDateTime } from "#app/ui/dates.ts";
import { TextWarning } from "#app/ui/forms/text-warning.tsx";

export type ShownLine = Pick<HistoryLine, "id" | "words" | "note" | "createdAt" | "warning">;

/** What has happened to an item: who did what, when, and what they wrote. */
export function DealHistory({ entries }: { entries: readonly ShownLine[] }) {
  return (
    <ol className="history" role="list" aria-label="What happened">
      {entries.map((entry) => (
        <li key={entry.id} className="history__entry">
          <span>{withWholeAmounts(entry.words)}</span>
          {entry.note && <span className="history__note">{entry.note}</span>}
          <TextWarning>{entry.warning}</TextWarning>
          <time className="quiet" dateTime={new Date(entry.createdAt).toISOString()}>
            {formatDateTime(entry.createdAt)}
          </time>
        </li>
      ))}
    </ol>
  );
}
