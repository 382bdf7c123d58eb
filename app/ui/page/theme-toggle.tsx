import { Icon } from "#app/ui/pictures/icon.tsx";

/** Switches between light and dark. EarlyScript does the work, so this needs no script of its own. */
export function ThemeToggle() {
  return (
    <button type="button" className="top-bar__tool" data-theme-toggle>
      <span className="only-light">
        <Icon name="moon" />
        <span className="visually-hidden">Switch to dark theme</span>
      </span>
      <span className="only-dark">
        <Icon name="sun" />
        <span className="visually-hidden">Switch to light theme</span>
      </span>
    </button>
  );
}
