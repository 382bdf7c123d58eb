import "./moment.css";
import { type ReactNode, useEffect, useRef } from "react";
import { withWholeAmounts } from "#app/ui/amounts.tsx";
import pictures from "#app/ui/pictures/moments.svg?url&no-inline";
import { forgetJust } from "./just.ts";

interface MomentProps {
  kind: "listed" | "sold" | "paid" | "code";
  /** A heading, whose level is the page's choice. */
  title: ReactNode;
  /** "KES 1,500"; null where it isn't about money. */
  sum: string | null;
  sentence: ReactNode;
  /** The thing's photo. */
  photo: ReactNode;
  /** The one next thing. */
  action: ReactNode;
  /** Quiet, below it. */
  children?: ReactNode;
}

/**
 * One of the four moments that are celebrated: a picture with the thing in it, the sum, and the one next thing. It
 * stands first on the page that follows, once. Whoever is writing there stays in their field.
 */
export function Moment({ kind, title, sum, sentence, photo, action, children }: MomentProps) {
  const own = useRef<HTMLElement>(null);
  useEffect(() => {
    forgetJust();
    if (document.activeElement?.matches("input, textarea, select")) return;
    own.current?.scrollIntoView({ block: "start" });
    own.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section ref={own} className="moment" tabIndex={-1} aria-label="What has just happened">
      <div className="moment__picture" aria-hidden="true">
        <svg viewBox="0 0 320 200">
          <use href={`${pictures}#${kind}-behind`} />
        </svg>
        <span className="moment__photo">{photo}</span>
        <svg viewBox="0 0 320 200" className="moment__front">
          <use href={`${pictures}#${kind}-before`} />
        </svg>
      </div>
      <div className="moment__words">
        {title}
        {sum !== null && <p className="moment__sum">{sum}</p>}
        <p className="quiet">{withWholeAmounts(sentence)}</p>
      </div>
      <div className="moment__next">
        {action}
        {children}
      </div>
    </section>
  );
}
