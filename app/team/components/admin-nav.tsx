import { useContext } from "react";
import { useLocation } from "react-router";
import type { AdminCounts } from "#app/team/admin-pages.server.ts";
import { ADMIN_TAB_GROUPS, ADMIN_TABS } from "#app/team/admin-tabs.ts";
import { mayOpen } from "#app/team/role-rules.ts";
import { CountBadge } from "#app/ui/badge.tsx";
import { TabLink } from "#app/ui/page/tabs.tsx";
import { useCurrentInView } from "#app/ui/page/use-current-in-view.ts";
import { AdminContext } from "./admin-context.ts";

/** The admin pages that a role may open: a row of tabs on narrow screens, a list in groups beside the page on wide. */
export function AdminNav({ counts }: { counts: AdminCounts }) {
  const { pathname } = useLocation();
  const { role } = useContext(AdminContext);
  const isCurrent = (to: string) => (to === "/admin" ? pathname === to : pathname.startsWith(to));
  const own = ADMIN_TABS.filter(({ to }) => mayOpen(role, to));
  const row = useCurrentInView(own.find(({ to }) => isCurrent(to))?.label);
  return (
    <nav ref={row} className="tabs admin-nav" aria-label="Admin pages">
      {ADMIN_TAB_GROUPS.filter((name) => own.some(({ group }) => group === name)).map((name) => (
        <div key={name} className="admin-nav__group" role="group" aria-label={name}>
          <p className="admin-nav__title" aria-hidden="true">
            {name}
          </p>
          {own
            .filter(({ group }) => group === name)
            .map((tab) => (
              <TabLink
                key={tab.to}
                to={tab.to}
                label={tab.label}
                current={isCurrent(tab.to)}
                mark={"count" in tab && <Waiting count={counts[tab.count]} />}
              />
            ))}
        </div>
      ))}
    </nav>
  );
}

function Waiting({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <>
      <CountBadge count={count} />
      <span className="visually-hidden">{count} waiting</span>
    </>
  );
}
