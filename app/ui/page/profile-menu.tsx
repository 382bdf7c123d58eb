import "#app/ui/layers/popover.ts";
import { Form, Link } from "react-router";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { navigation } from "./navigation.ts";
import type { ShellViewer } from "./top-bar.tsx";

const menuId = "profile-menu";

function close() {
  document.getElementById(menuId)?.hidePopover?.();
}

/** The account menu with Log out, in the browser's own popover. It opens before scripts load and closes on Escape. */
export function ProfileMenu({ viewer }: { viewer: ShellViewer }) {
  const name = viewer.email ?? "User";
  return (
    <>
      <button type="button" className="menu-button" popoverTarget={menuId} data-tour="account">
        <span className="visually-hidden">Account menu, {name}</span>
        <span className="menu-button__initial" aria-hidden="true">
          {name.charAt(0)}
        </span>
        <Icon name="chevron-down" size="small" />
      </button>
      <nav className="menu" id={menuId} popover="auto" aria-label="Account">
        <p className="menu__who">{name}</p>
        {(viewer.isAdmin ? [...navigation.profile, navigation.admin] : navigation.profile).map((link) => (
          <Link key={link.label} className="menu__item" to={link.to} onClick={close}>
            <Icon name={link.icon} />
            {link.label}
          </Link>
        ))}
        <hr className="menu__rule" />
        <Form method="post" action={navigation.signOut} onSubmit={close}>
          <button className="menu__item" type="submit">
            <Icon name="log-out" />
            Log out
          </button>
        </Form>
      </nav>
    </>
  );
}
