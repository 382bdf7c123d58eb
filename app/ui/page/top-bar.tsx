import type { ReactNode } from "react";
import { Link, NavLink } from "react-router";
import { FRONT_PATH } from "#app/public-links.ts";
import { CountBadge } from "#app/ui/badge.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { type Counts, type Navigation, navigation, type NavigationLink } from "./navigation.ts";
import { ProfileMenu } from "./profile-menu.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";
import { Wordmark } from "./wordmark.tsx";

/** The user. The shell shows the email, or "User". */
export interface ShellViewer {
  id: string;
  email: string | null;
  /** Adds the link to the admin pages. */
  isAdmin?: boolean;
}

interface TopBarProps {
  /** Starts the guided tour again. */
  onRestartTutorial?: () => void;
  viewer: ShellViewer | null;
  counts: Counts;
  /** The search box. */
  search: ReactNode;
}

/**
 * The bar at the top: on phones the logo, theme, Sell, messages, notifications and cart; from 768 px all else. The
 * search box stands in it from 73.75rem, and below it on Home, lists of products and searches.
 */
export function TopBar({ viewer, counts, search, onRestartTutorial }: TopBarProps) {
  return (
    <header className="top-bar">
      <div className="top-bar__inner">
        {viewer ? <Wordmark to={navigation.home} /> : <Wordmark to={FRONT_PATH} reloadDocument />}
        {viewer && (
          <nav className="top-bar__links" aria-label="Main navigation" data-tour="navigation">
            {navigation.links.map((link) => (
              <NavLink key={link.label} className="top-bar__link" to={link.to} data-tour={link.tour}>
                {link.label}
              </NavLink>
            ))}
          </nav>
        )}
        {search}
        <div className="top-bar__tools">
          <ThemeToggle />
          {viewer && (
            <>
              <Link className="top-bar__tool top-bar__sell" to={navigation.sell.to}>
                <Icon name={navigation.sell.icon} />
                <span>{navigation.sell.label}</span>
              </Link>
              <Tools tools={navigation.tools.filter(({ count }) => !isBasket(count))} counts={counts} />
              <div className="top-bar__basket" data-tour="basket">
                <Tools tools={navigation.tools.filter(({ count }) => isBasket(count))} counts={counts} />
              </div>
            </>
          )}
          {viewer && onRestartTutorial && (
            <button
              type="button"
              className="top-bar__tool top-bar__tool--desktop scripted"
              aria-label="Restart tutorial"
              title="Restart tutorial"
              onClick={onRestartTutorial}
            >
              <Icon name="compass" />
            </button>
          )}
          {viewer ? (
            <ProfileMenu viewer={viewer} />
          ) : (
            <LinkButton className="top-bar__sign-in" to={navigation.signIn} variant="soft" size="small">
              Sign In
            </LinkButton>
          )}
        </div>
      </div>
    </header>
  );
}

function Tools({ tools, counts }: { tools: Navigation["tools"]; counts: Counts }) {
  return tools.map((tool) => (
    <Link
      key={tool.label}
      className={classNames("top-bar__tool", !tool.phone && "top-bar__tool--desktop")}
      to={tool.to}
      aria-label={[tool.label, countInWords(tool, counts)].filter(Boolean).join(", ")}
    >
      <Icon name={tool.icon} />
      {tool.count && <CountBadge count={counts[tool.count]} />}
    </Link>
  ));
}

function isBasket(count: keyof Counts | undefined): boolean {
  return count === "wishlist" || count === "cart";
}

const countedThings = {
  unread: "unread",
  notifications: "new",
  wishlist: "saved",
  cart: "item",
} as const satisfies Record<keyof Counts, string>;

/** What a link's badge shows, in words such as "3 saved". Null where the link has no badge or nothing to show. */
export function countInWords(link: NavigationLink, counts: Counts): string | null {
  if (!link.count || counts[link.count] < 1) return null;
  const count = counts[link.count];
  return `${count} ${countedThings[link.count]}${link.count === "cart" && count > 1 ? "s" : ""}`;
}
