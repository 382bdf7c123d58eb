import { Children, type ReactNode } from "react";

const AMOUNT = /(KES [\d,.]*\d)/;

/** A text in which "KES 1,200" stays on one line where it fits. Anything but texts stays as it is. */
export function withWholeAmounts(content: ReactNode): ReactNode {
  return Children.map(content, (part) =>
    typeof part === "string" && AMOUNT.test(part) ? part.split(AMOUNT).map(whole) : part,
  );
}

function whole(part: string, at: number): ReactNode {
  return at % 2 === 0 ? (
    part
  ) : (
    <span key={at} className="amount">
      {part}
    </span>
  );
}
