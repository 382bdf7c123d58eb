import { TextField } from "#app/ui/forms/text-field.tsx";
import { CopyButton } from "./copy-button.tsx";

/** A link to copy. Whoever enters its field has it marked, for browsers that don't let pages copy. */
export function LinkField({ url, label }: { url: string; label: string }) {
  return (
    <TextField
      aria-label={label}
      value={url}
      readOnly
      onFocus={({ currentTarget }) => currentTarget.select()}
      after={
        <CopyButton text={url} label="Copy link" copied="Link copied to clipboard!" what="the link" size="small" />
      }
    />
  );
}
