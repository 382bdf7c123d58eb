import "./facts-list.css";
import type { ShownFact } from "#app/catalogue/facts/fact-field-rules.ts";

/** What a listing says beside its name: its brand, its size … Nothing where it says nothing. */
export function FactsList({ facts }: { facts: readonly ShownFact[] }) {
  if (facts.length === 0) return null;
  return (
    <dl className="facts-list">
      {facts.map(({ label, text }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
