import type { ReactNode } from "react";
import { brand } from "./brand.ts";
import { NavigationProgress, OfflineNotice } from "./shell.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";
import { Wordmark } from "./wordmark.tsx";

interface AuthLayoutProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** Form beside a picture of campus trade on desktop; stacked on phones. */
export function AuthLayout({ title, lead, children }: AuthLayoutProps) {
  return (
    <>
      <NavigationProgress />
      <OfflineNotice />
      <div className="auth">
        <aside className="auth__art" aria-label={`About ${brand.name}`}>
          <div className="auth__head">
            <Wordmark to="/" />
            <ThemeToggle />
          </div>
          <p className="auth__words">
            Your campus,
            <br />
            open for business.
          </p>
          <img className="auth__scene" src="/art/campus.webp" alt="" width="820" height="1100" fetchPriority="high" />
        </aside>
        <main className="auth__form stack" id="content">
          <header>
            <h1>{title}</h1>
            {lead && <p className="page-header__lead">{lead}</p>}
          </header>
          {children}
        </main>
      </div>
    </>
  );
}
