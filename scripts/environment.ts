/**
 * What is deployed: the market, or its rehearsal, which has names of its own and Safaricom's sandbox. Both run the same
 * code.
 */
export type Environment = "production" | "staging";

/** The option of each command for what is deployed. */
export const STAGING_OPTION = { staging: { type: "boolean", default: false } } as const;

export function environmentOf({ staging }: { staging: boolean }): Environment {
  return staging ? "staging" : "production";
}

export function otherThan(environment: Environment): Environment {
  return environment === "staging" ? "production" : "staging";
}
