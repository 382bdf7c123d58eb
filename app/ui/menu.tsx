import { type ReactNode, type ToggleEvent, useEffect, useId, useRef } from "react";
import { classNames } from "./class-names.ts";
import { Icon } from "./icon.tsx";
import type { IconName } from "./icon-names.ts";
import { openLayer } from "./use-back-to-close.ts";

interface MenuProps {
  /** The accessible name of the button and of what opens. */
  label: string;
  /** The button's class. */
  className?: string;
  /** What the button shows. */
  face: ReactNode;
  /** MenuItems. */
  children: ReactNode;
}

/**
 * A button and the few actions it opens, in the browser's own popover: beside the button, or from the lower edge on a phone. Opens
 * before scripts load, closes on Escape, the phone's Back, a press outside, and a press on an item.
 */
export function Menu({ label, className, face, children }: MenuProps) {
  const id = useId();
  const givePlaceUp = useRef<() => void>(undefined);
  useEffect(() => () => givePlaceUp.current?.(), []);

  function toggle(event: ToggleEvent<HTMLDivElement>): void {
    const menu = event.currentTarget;
    givePlaceUp.current?.();
    givePlaceUp.current = event.newState === "open" ? openLayer(() => menu.hidePopover()) : undefined;
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

/** Closes the menu that holds this element. */
export function closeMenu(inside: HTMLElement): void {
  inside.closest<HTMLElement>("[popover]")?.hidePopover();
}

/** Distance between button and menu, and of the menu from the screen's edges, px. */
const GAP = 8;

/** Below the button, or above where there is no room; flush with its right edge as far as the screen allows. */
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
  /** Red: something is lost. */
  destructive?: boolean;
  disabled?: boolean;
  /** Marks the one that holds now. */
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
