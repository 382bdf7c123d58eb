import { Children, type ReactNode } from "react";

/** "KES 1,200"; "M-Pesa", "USB-C", "6-digit"; "8 GB". */
const WHOLE = [
  String.raw`−?KES [\d,.]*\d`,
  String.raw`(?<![\p{L}\d-])[\p{L}\d]{1,3}-[\p{L}\d]{1,6}(?![\p{L}\d-])`,
  String.raw`(?<![^\s(“"])\d[\d.,]{0,6} (?:[KMGT]B|kg|g|ml|l|L|cm|mm|m|W|V|mAh|inch)(?![^\s.,;:!?)…”"])`,
].join("|");

/**
 * With the marks that touch them: WebKit would begin a line with the full stop behind the element, or end one with the
 * bracket before it.
 */
const AMOUNT = new RegExp(String.raw`((?:(?<!\S)[(“"])?(?:${WHOLE})[.,;:!?)…”"]*)`, "u");

/**
 * A text in which a sum, a short word with a hyphen, and a number with its unit, stay on one line where they fit.
 * Anything but texts stays as it is.
 */
export function withWholeAmounts(content: ReactNode): ReactNode {
  return Children.map(content, (part) =>
    typeof part === "string" && AMOUNT.test(part) ? part.split(AMOUNT).map(whole) : part,
  );
}

/** The same as one element, for a parent that sets its children apart, as a button does. */
export function asOneWithWholeAmounts(content: ReactNode): ReactNode {
  const parts = Children.toArray(content);
  const isText = parts.every((part) => typeof part !== "object");
  return isText && AMOUNT.test(parts.join("")) ? <span>{withWholeAmounts(parts)}</span> : content;
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
