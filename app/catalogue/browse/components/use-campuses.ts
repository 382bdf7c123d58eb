import { useRouteLoaderData } from "react-router";

interface ViewersCampuses {
  viewer: { campus: string | null; campuses: string[] } | null;
}

/** The viewer's campus, if lists can be limited to it. */
export function useOwnCampus(): string | null {
  return useRouteLoaderData<ViewersCampuses>("root")?.viewer?.campus ?? null;
}

/** The names of all campuses, which a member's lists can be limited to. */
export function useCampuses(): readonly string[] {
  return useRouteLoaderData<ViewersCampuses>("root")?.viewer?.campuses ?? [];
}
