import type { ReactNode } from "react";
import { useRouteLoaderData } from "react-router";
import { BasketProvider, useBasket } from "#app/basket/components/basket-provider.tsx";
import { SearchBox } from "#app/catalogue/search/components/search-box.tsx";
import type { loader as rootLoader } from "#app/root.tsx";
import { useTutorialRestart } from "#app/tutorial/components/tutorial-gate.tsx";
import { Shell } from "#app/ui/page/shell.tsx";
import { useLive } from "#app/screens/live/use-live.ts";
import { useUnread } from "#app/live/live-state.ts";

const NOTHING = { unread: 0, notifications: 0 };

/** The frame of every member screen: the bars with their counts, the basket and the live connection. */
export function MemberFrame({ children, beside }: { children: ReactNode; beside?: ReactNode }) {
  const root = useRouteLoaderData<typeof rootLoader>("root");
  const viewerId = root?.viewer?.id ?? "";
  const counts = root?.counts ?? NOTHING;
  useLive(viewerId, counts);
  const unread = useUnread(counts.unread);
  return (
    <BasketProvider viewerId={viewerId} saved={root?.basket ?? { cart: [], wishlist: [] }}>
      <MemberShell viewer={root?.viewer ?? null} unread={unread} notifications={counts.notifications}>
        {children}
      </MemberShell>
      {beside}
    </BasketProvider>
  );
}

interface MemberShellProps {
  viewer: { id: string; email: string; isAdmin: boolean } | null;
  unread: number;
  notifications: number;
  children: ReactNode;
}

/** Counts the cart and the wishlist, including changes that the server hasn't confirmed yet. */
function MemberShell({ viewer, unread, notifications, children }: MemberShellProps) {
  const basket = useBasket();
  const restartTutorial = useTutorialRestart();
  return (
    <Shell
      viewer={viewer}
      counts={{ cart: basket?.cart.size ?? 0, wishlist: basket?.wishlist.size ?? 0, unread, notifications }}
      search={<SearchBox />}
      onRestartTutorial={restartTutorial}
    >
      {children}
    </Shell>
  );
}
