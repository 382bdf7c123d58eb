import type { ComponentProps, ReactNode } from "react";
import { Link as RouterLink, NavLink as RouterNavLink, useLocation } from "react-router";

type LinkProps = ComponentProps<typeof RouterLink>;
type NavLinkProps = ComponentProps<typeof RouterNavLink>;

/** A path that means the same on every page, and that React Router writes into `href` as it is. */
const ABSOLUTE_PATH = /^(?:\/[\w~%-]+)+(?:\?[^#]+)?(?:#.+)?$/;

/**
 * Renders what React Router's Link renders on the server, without its hooks: they were an eighth of a feed's rendering.
 * It leaves every address that depends on the page to React Router. The app has no basename.
 */
function ServerLink(props: LinkProps): ReactNode {
  if (typeof props.to !== "string" || props.mask !== undefined || !ABSOLUTE_PATH.test(props.to))
    return <RouterLink {...props} />;
  const {
    to,
    discover = "render",
    target,
    children,
    // What the browser's Link does with a press.
    mask: _mask,
    prefetch: _prefetch,
    relative: _relative,
    reloadDocument: _reloadDocument,
    replace: _replace,
    state: _state,
    preventScrollReset: _preventScrollReset,
    viewTransition: _viewTransition,
    defaultShouldRevalidate: _defaultShouldRevalidate,
    ...rest
  } = props;
  return (
    <a {...rest} href={to} target={target} data-discover={discover === "render" ? "true" : undefined}>
      {children}
    </a>
  );
}

/** Renders what React Router's NavLink renders on the server, in the same way. There nothing is on its way to a screen. */
function ServerNavLink(props: NavLinkProps): ReactNode {
  const location = useLocation();
  const { "aria-current": current = "page", className = "", style, children, end, caseSensitive, ...rest } = props;
  if (
    typeof rest.to !== "string" ||
    !ABSOLUTE_PATH.test(rest.to) ||
    typeof className === "function" ||
    typeof style === "function" ||
    typeof children === "function" ||
    end ||
    caseSensitive
  )
    return <RouterNavLink {...props} />;
  const here = location.pathname.toLowerCase();
  const there = rest.to.replace(/[?#].*$/s, "").toLowerCase();
  const isActive = here === there || here.startsWith(`${there}/`);
  return (
    <ServerLink
      {...rest}
      aria-current={isActive ? current : undefined}
      className={isActive ? `${className} active`.trim() : className}
      style={style}
    >
      {children}
    </ServerLink>
  );
}

/** A link to a screen. In the browser it is React Router's. */
export const Link: (props: LinkProps) => ReactNode = import.meta.env.SSR ? ServerLink : RouterLink;

/** A link that is marked on its screen and on those below it. In the browser it is React Router's. */
export const NavLink: (props: NavLinkProps) => ReactNode = import.meta.env.SSR ? ServerNavLink : RouterNavLink;
