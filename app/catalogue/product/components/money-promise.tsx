import "./money-promise.css";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { TextLink } from "#app/ui/text-link.tsx";

/** What happens with a buyer's money, in one line that leads to the whole promise. */
export function MoneyPromise({ text }: { text: string }) {
  return (
    <p className="money-promise">
      <Icon name="shield-check" size="small" />
      <TextLink to="/protection">{text}</TextLink>
    </p>
  );
}
