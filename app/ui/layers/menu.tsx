import "./popover.ts";
import { type ReactNode, type ToggleEvent, useEffect, useId, useRef } from "react";
import { classNames } from "#app/ui/class-names.ts";
import { Icon } from "#app/ui/pictures/icon.tsx";
import type { IconName } from "#app/ui/pictures/icon-names.ts";
import { openLayer } from "./use-back-to-close.ts";

interface MenuProps {
  /** The accessible name of the button and of the menu. */
  label: string;
  /** The button's class. */
  className?: string;
  /** The content of the button. */
  face: ReactNode;
  /** MenuItems. */
  children: ReactNode;
}

/**
 * A button with a menu, in the browser's own popover: next to the button, or at the bottom of a phone. It opens before
 * scripts load, and closes on Escape, the phone's Back, a press outside and a press on an item.
 */
export function Menu({ label, className, face, children }: MenuProps) {
  const id = useId();
  const closeLayer = useRef<() => void>(undefined);
  useEffect(() => () => closeLayer.current?.(), []);

  function toggle(event: ToggleEvent<HTMLDivElement>): void {
    const menu = event.currentTarget;
    // React also passes on what a dialog of an item does.
    if (event.target !== menu) return;
    closeLayer.current?.();
    closeLayer.current = event.newState === "open" ? openLayer(() => menu.hidePopover()) : undefined;
    place(event);
  }
  return (
    <>
      <button type="button" className={className} popoverTarget={id} aria-label={label}>
        {face}
      </button>
      <div id={id} popover="auto" role="group" aria-label={label} className="action-menu" onToggle={toggle}>
        {children}
      </div>
    </>
  );
}

/** Closes the menu that contains this element. */
export function closeMenu(inside: HTMLElement): void {
  inside.closest<HTMLElement>("[popover]")?.hidePopover?.();
}

/** The distance of the menu from the button and from the screen's edges, in px. */
const GAP = 8;

/** Below the button, or above if there is no room. Aligned with its right edge if the screen allows. */
function place({ currentTarget: menu, newState }: ToggleEvent<HTMLDivElement>): void {
  if (newState !== "open") return;
  const button = document.querySelector(`[popovertarget="${CSS.escape(menu.id)}"]`);
  if (!button) return;
  const anchor = button.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = menu;
  const below = anchor.bottom + GAP;
  const top = below + offsetHeight <= window.innerHeight - GAP ? below : Math.max(GAP, anchor.top - GAP - offsetHeight);
  menu.style.setProperty("--menu-top", `${top}px`);
  menu.style.setProperty(
    "--menu-left",
    `${Math.max(GAP, Math.min(anchor.right - offsetWidth, window.innerWidth - offsetWidth - GAP))}px`,
  );
}

interface MenuItemProps {
  icon?: IconName;
  /** Red, because something is lost. */
  destructive?: boolean;
  disabled?: boolean;
  /** Marks the current choice. */
  current?: boolean;
  type?: "button" | "submit";
  name?: string;
  value?: string;
  onClick?: () => void;
  children: ReactNode;
}

/** One action of a menu. */
export function MenuItem({ icon, destructive, current, type = "button", onClick, children, ...rest }: MenuItemProps) {
  return (
    <button
      {...rest}
      type={type === "submit" ? "submit" : "button"}
      className={classNames("menu__item", destructive && "menu__item--destructive")}
      aria-current={current || undefined}
      onClick={(event) => {
        closeMenu(event.currentTarget);
        onClick?.();
      }}
    >
      {icon && <Icon name={icon} />}
      <span className="grow">{children}</span>
      {current && <Icon name="check" />}
    </button>
  );
}
