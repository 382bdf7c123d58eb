import { type DataStrategyResult, replace } from "react-router";

/**
 * A client middleware of the root route. Where Back, or a reload, leads to a screen that sends people elsewhere, such
 * as to the login, that place takes the screen's entry in the history, as it does without scripts. The router would add
 * an entry: Back from there leads to the screen again, which sends them there again.
 */
export async function replaceAfterBack(
  { request }: { request: Request },
  next: () => Promise<Record<string, DataStrategyResult>>,
): Promise<void> {
  const results = await next();
  // After Back the address is there before its screen. After the press of a link it comes with its screen.
  if (request.method !== "GET" || request.url !== location.href.split("#")[0]) return;
  for (const found of Object.values(results)) {
    const headers = found.result instanceof Response ? found.result.headers : null;
    const to = headers?.get("Location");
    if (headers && to) found.result = replace(to, { headers });
  }
}
