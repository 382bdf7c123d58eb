import "./admin.css";
import type { ReactNode } from "react";
import { VERSION } from "#app/platform/version.ts";
import type { AdminCounts } from "#app/team/admin-pages.server.ts";
import { brand } from "#app/ui/page/brand.ts";
import { AdminNav } from "./admin-nav.tsx";

/** What is around every admin page: the list of pages with their counts, and the release, which a report names. */
export function AdminFrame({ counts, children }: { counts: AdminCounts; children: ReactNode }) {
  return (
    <div className="page admin-page">
      <AdminNav counts={counts} />
      {children}
      <footer className="admin-page__foot quiet small">
        {brand.name} {VERSION}
      </footer>
    </div>
  );
}
