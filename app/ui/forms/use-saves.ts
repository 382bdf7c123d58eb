import { useEffect, useRef, useState } from "react";

/**
 * How often a form was saved: sent, and not refused by an answer. As a key, the number makes the form anew. `answer`
 * may still be the one to an earlier attempt, because a save leads to a page and answers nothing.
 */
export function useSaves(isSending: boolean, answer: unknown): number {
  const [saves, setSaves] = useState(0);
  const last = useRef({ isSending, answer });
  useEffect(() => {
    if (last.current.isSending && !isSending && (!answer || answer === last.current.answer)) {
      setSaves((count) => count + 1);
    }
    last.current = { isSending, answer: isSending ? last.current.answer : answer };
  }, [isSending, answer]);
  return saves;
}
