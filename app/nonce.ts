import { createContext } from "react";

/** This answer's script nonce; set while rendering on the server, undefined in the browser, which hides it from scripts. */
export const NonceContext = createContext<string | undefined>(undefined);
