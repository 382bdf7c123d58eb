import { useRouteLoaderData } from "react-router";

const YEAR_S = 365 * 24 * 60 * 60;

/**
 * Whether a request's pages save mobile data. A choice in the settings counts, else what the browser asks for.
 * @param cookie the request's Cookie header
 * @param saveData its Save-Data header
 */
export function readDataSaver(cookie: string | null, saveData: string | null): boolean {
  const choice = /(?:^|;\s*)data_saver=(on|off)(?:;|$)/.exec(cookie ?? "")?.[1];
  return choice === undefined ? /^\s*on\s*(;|$)/i.test(saveData ?? "") : choice === "on";
}

/** The Set-Cookie header that stores the choice for a year. `url` is the request's. */
export function dataSaverCookie(isOn: boolean, url: string): string {
  const secure = url.startsWith("https:") ? "; Secure" : "";
  return `data_saver=${isOn ? "on" : "off"}; Path=/; Max-Age=${YEAR_S}; HttpOnly; SameSite=Lax${secure}`;
}

/** Whether this page saves mobile data: smaller photos, and nothing is loaded before it is needed. */
export function useDataSaver(): boolean {
  return useRouteLoaderData<{ dataSaver: boolean }>("root")?.dataSaver === true;
}
