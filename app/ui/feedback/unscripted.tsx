import { type ReactNode, use } from "react";
import { AnswerContext } from "#app/ui/page/answer-context.ts";

/** Stands only on pages whose scripts don't run: they are off, or the browser is too old for them. */
export function Unscripted({ children }: { children: ReactNode }) {
  const { plain } = use(AnswerContext);
  return plain ? children : <noscript>{children}</noscript>;
}
