import { createContext } from "react";

/** What the server knows of the answer that it renders. */
interface Answer {
  /** The scripts' nonce, which browsers hide from scripts. */
  nonce?: string;
  /** Texts of the style sheets that stand in the page itself, by their addresses. */
  styles?: ReadonlyMap<string, string>;
}

/** Empty in the browser. */
export const AnswerContext = createContext<Answer>({});
