import { NavLink } from "react-router";
import { CountBadge } from "#app/ui/badge.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { type Counts, navigation } from "./navigation.ts";
import { countInWords } from "./top-bar.tsx";

/** The bar at the bottom of phones, below 768 px. */
export function BottomBar({ counts }: { counts: Counts }) {
  return (
    <nav className="bottom-bar" aria-label="Main navigation" data-tour="navigation">
      <ul className="bottom-bar__list" role="list">
        {navigation.bottom.map((link) => (
          <li key={link.label}>
            <NavLink className="bottom-bar__link" to={link.to} data-tour={link.tour}>
              <Icon name={link.icon} />
              <span className="bottom-bar__label">{link.label}</span>
              <Counted words={countInWords(link, counts)} />
              {link.count && <CountBadge count={counts[link.count]} />}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Counted({ words }: { words: string | null }) {
  return words && <span className="visually-hidden">, {words}</span>;
}
