import { createContext } from "react";

/** What the server knows about the response that it renders. */
interface Answer {
  /** The nonce of the scripts. Browsers hide it from scripts. */
  nonce?: string;
  /** Whether it is a public page, which has no scripts but the one that sets the theme. */
  publicPage?: boolean;
  /** The text of the style sheet, where the page carries it. */
  styles?: string;
}

/** Empty in the browser. */
export const AnswerContext = createContext<Answer>({});
