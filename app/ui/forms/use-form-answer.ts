import { useState } from "react";
import { useLocation } from "react-router";

/**
 * The answer to the form that was last sent on this screen, or null: `actionData`, kept until another history entry is
 * shown. The router forgets it with each reload of the screen's data, and any live event reloads it, so that an error
 * would vanish while it is being read.
 */
export function useFormAnswer<Answer>(actionData: Answer | undefined): Answer | null {
  const { key } = useLocation();
  const [last, setLast] = useState({ key, answer: actionData ?? null });
  const answer = actionData ?? (last.key === key ? last.answer : null);
  if (last.key !== key || last.answer !== answer) setLast({ key, answer });
  return answer;
}
