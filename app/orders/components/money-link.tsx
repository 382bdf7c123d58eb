import "./order-page.css";
import { Link } from "react-router";
import { Icon } from "#app/ui/pictures/icon.tsx";

/** Among the lines below a deal: the way to what has become of its money. Of a free item there is none. */
export function MoneyLink({ item }: { item: { id: string; subtotal: number } }) {
  if (item.subtotal === 0) return null;
  return (
    <Link className="fold-link" to={`/money/${item.id}`}>
      Where is my money?
      <Icon name="chevron-right" size="small" />
    </Link>
  );
}
