import { useRouteLoaderData } from "react-router";

/** The viewer's campus, if lists can be limited to it. */
export function useOwnCampus(): string | null {
  return useRouteLoaderData<{ viewer: { campus: string | null } | null }>("root")?.viewer?.campus ?? null;
}
