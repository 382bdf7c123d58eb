import "./order-page.css";
import type { ReactNode } from "react";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import { classNames } from "#app/ui/class-names.ts";

interface FoldProps {
  label: string;
  /** What is in it, in a word or a sum, at the end of the line. */
  hint?: string;
  /** Beside the main column of wide screens it is always open. */
  isAside?: boolean;
  /** Open from the start. */
  open?: boolean;
  children: ReactNode;
}

/** What few people need now, behind one line. */
export function Fold({ label, hint, isAside, open, children }: FoldProps) {
  return (
    <details className={classNames("fold", isAside && "fold--aside")} open={open}>
      <summary>
        <span>{label}</span>
        {hint && <span className="fold__hint">{withWholeAmounts(hint)}</span>}
      </summary>
      <div className="stack">{children}</div>
    </details>
  );
}
