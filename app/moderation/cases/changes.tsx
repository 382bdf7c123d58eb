import type { Change } from "#app/catalogue/change-words.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";

interface ChangesProps {
  title: string;
  changes: readonly Change[];
}

/** What somebody has changed, with the words then and now. Nothing where nothing differs. */
export function Changes({ title, changes }: ChangesProps) {
  if (changes.length === 0) return null;
  return (
    <Callout tone="orange" icon="info" title={title}>
      <ChangeList changes={changes} />
    </Callout>
  );
}

export function ChangeList({ changes }: Pick<ChangesProps, "changes">) {
  return (
    <dl className="admin__changes">
      {changes.map(({ label, was, is }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <del>{was || "Empty"}</del> <ins>{is === was ? `${is}, changed` : is || "Empty"}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
