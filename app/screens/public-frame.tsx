import "./public-frame.css";
import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { withReturnPath } from "#app/accounts/login/account-rules.ts";
import { HOME_CATEGORIES } from "#app/catalogue/labels.ts";
import { PublicSearchBox } from "#app/catalogue/search/components/public-search-box.tsx";
import { tidySearchText } from "#app/catalogue/search/search-text.ts";
import { FRONT_PATH, isPublicSearch, publicCampusPath, publicCategoryPath } from "#app/public-links.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { ErrorState } from "#app/ui/feedback/state.tsx";
import { ThemeToggle } from "#app/ui/page/theme-toggle.tsx";
import { Wordmark } from "#app/ui/page/wordmark.tsx";

const CATEGORIES = {
  title: "Categories",
  links: HOME_CATEGORIES.map(({ id, name }) => ({ name, path: publicCategoryPath(id) })),
};
const ABOUT = {
  title: "About",
  links: [
    { name: "How paying is protected", path: "/protection" },
    { name: "Help", path: "/help" },
    { name: "Terms", path: "/terms" },
    { name: "Privacy", path: "/privacy" },
    { name: "Contact support", path: "/support" },
  ],
};

/** The bar and the footer around a public page. They are the same for everybody and need no scripts. */
export function PublicFrame({ campuses, children }: { campuses: readonly string[]; children: ReactNode }) {
  const { pathname, search } = useLocation();
  // The other public pages are the same for every query, because a copy of them is kept.
  const here = isPublicSearch(pathname) ? pathname + search : pathname;
  const searchedText = isPublicSearch(pathname) ? tidySearchText(new URLSearchParams(search).get("q")) : "";
  const places = { title: "Campuses", links: campuses.map((name) => ({ name, path: publicCampusPath(name) })) };
  return (
    <div className="public">
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <header className="top-bar">
        <div className="top-bar__inner">
          <Wordmark to={FRONT_PATH} />
          {pathname !== FRONT_PATH && <PublicSearchBox className="top-bar__search" text={searchedText} />}
          <div className="top-bar__tools">
            <ThemeToggle />
            <a
              className={buttonClass({ variant: "ghost", size: "small" }, "public__log-in")}
              href={withReturnPath("/auth", here)}
            >
              Log in
            </a>
            <a
              className={buttonClass({ variant: "soft", size: "small" }, "public__sign-up")}
              href={withReturnPath("/auth/signup", here)}
            >
              Sign up
            </a>
          </div>
        </div>
      </header>
      <main className="shell__main" id="content" tabIndex={-1}>
        {children}
      </main>
      <footer className="public__footer">
        {[CATEGORIES, ...(campuses.length > 0 ? [places] : []), ABOUT].map(({ title, links }) => (
          <nav key={title} aria-label={title}>
            <h2 className="public__footer-title">{title}</h2>
            <ul className="public__links" role="list">
              {links.map(({ name, path }) => (
                <li key={path}>
                  <a href={path}>{name}</a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </footer>
    </div>
  );
}

/** In the place of a public page whose data can't be read. */
export function PublicFailure() {
  const { pathname, search } = useLocation();
  return (
    <div className="page">
      <ErrorState
        level={1}
        title="We couldn't load this page"
        action={
          <a className={buttonClass({})} href={pathname + search}>
            Try Again
          </a>
        }
      />
    </div>
  );
}
