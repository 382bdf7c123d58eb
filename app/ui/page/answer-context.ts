import { createContext } from "react";

/** What the server knows about the response that it renders. */
interface Answer {
  /** The nonce of the scripts. Browsers hide it from scripts. */
  nonce?: string;
  /** Whether it is a public page, which has no scripts but the one that sets the theme. */
  publicPage?: boolean;
  /** Whether the browser is too old for our scripts (app/document/plain-pages.ts). */
  plain?: boolean;
}

/** Empty in the browser. */
export const AnswerContext = createContext<Answer>({});
