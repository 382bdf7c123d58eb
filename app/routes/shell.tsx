import { Outlet, useRouteLoaderData } from "react-router";
import { MemberFrame } from "#app/screens/member-frame.tsx";
import type { loader as rootLoader } from "#app/root.tsx";
import { PublicSearchBox } from "#app/catalogue/search/components/public-search-box.tsx";
import { TutorialGate } from "#app/tutorial/components/tutorial-gate.tsx";
import { Shell } from "#app/ui/page/shell.tsx";

/** The bars around the screens of members, and around seller pages for visitors. */
export default function ShellLayout() {
  const viewer = useRouteLoaderData<typeof rootLoader>("root")?.viewer;
  if (viewer) {
    return (
      // Nothing of whoever was logged in before stays in lists and fields.
      <MemberFrame key={viewer.id} beside={<TutorialGate />}>
        <Outlet />
      </MemberFrame>
    );
  }
  return (
    <Shell
      viewer={null}
      counts={{ cart: 0, wishlist: 0, unread: 0, notifications: 0 }}
      search={<PublicSearchBox className="top-bar__search" />}
    >
      <Outlet />
    </Shell>
  );
}
