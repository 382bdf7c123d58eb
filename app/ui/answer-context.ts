import { createContext } from "react";

/** What the server knows about the response that it renders. */
interface Answer {
  /** The nonce of the scripts. Browsers hide it from scripts. */
  nonce?: string;
  /** The texts of the style sheets in the page, by their addresses. */
  styles?: ReadonlyMap<string, string>;
}

/** Empty in the browser. */
export const AnswerContext = createContext<Answer>({});
