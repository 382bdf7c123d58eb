import "./deals.css";
import { type HistoryEntry, type HistoryReader, historyWords } from "#app/deals/history-words.ts";
import { formatDateTime } from "#app/ui/dates.ts";

interface DealHistoryProps {
  entries: readonly HistoryEntry[];
  reader: HistoryReader;
}

/** What has happened to an item since it was paid: who did what, when, and what they wrote. */
export function DealHistory({ entries, reader }: DealHistoryProps) {
  return (
    <ol className="history" role="list" aria-label="What happened">
      {entries.map((entry) => (
        <li key={entry.id} className="history__entry">
          <span>{historyWords(entry, reader)}</span>
          {entry.note && <span className="history__note">{entry.note}</span>}
          <time className="quiet" dateTime={new Date(entry.createdAt).toISOString()}>
            {formatDateTime(entry.createdAt)}
          </time>
        </li>
      ))}
    </ol>
  );
}
