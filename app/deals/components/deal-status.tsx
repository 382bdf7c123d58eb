import "./deal-steps.css";
import type { ReactNode } from "react";
import type { DealWords } from "#app/deals/deal-summary.server.ts";
import { Callout } from "#app/ui/feedback/callout.tsx";

/** What happens next with an item, or how it ended. `children`: what the reader can do about it. */
export function DealStatus({
  words: { tone, title, sentences },
  children,
}: {
  words: DealWords;
  children?: ReactNode;
}) {
  return (
    <Callout tone={tone} title={title}>
      <div className="deal-sentences">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {children}
      </div>
    </Callout>
  );
}
