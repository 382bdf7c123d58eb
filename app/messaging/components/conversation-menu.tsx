import { Link, useFetcher, useLocation } from "react-router";
import { AskingForm } from "#app/ui/forms/asking-form.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { Menu, MenuItem } from "#app/ui/layers/menu.tsx";
import { type ActionResult, useResultToast } from "#app/ui/feedback/use-result-toast.ts";
import { useScripted } from "#app/ui/browser/use-scripted.ts";

interface ConversationMenuProps {
  otherId: string;
  name: string;
  blocked: boolean;
}

/** The menu to block, unblock and report a conversation. */
export function ConversationMenu({ otherId, name, blocked }: ConversationMenuProps) {
  const fetcher = useFetcher<ActionResult>();
  const { pathname, search } = useLocation();
  const isScripted = useScripted();
  useResultToast(fetcher.data);
  const question = {
    title: `Block ${name}?`,
    description: `You won't be able to message each other until you unblock ${name}. Old messages and open orders stay.`,
    confirmLabel: "Block",
    destructive: true,
  };
  return (
    <Menu label="More" className="inbox__menu-button" face={<Icon name="ellipsis" />}>
      <AskingForm fetcher={fetcher} action="/conversations/safety" confirm={blocked ? undefined : question}>
        <input type="hidden" name="intent" value={blocked ? "unblock" : "block"} />
        <input type="hidden" name="otherId" value={otherId} />
        {!isScripted && <input type="hidden" name="from" value={pathname + search} />}
        <MenuItem type="submit" icon="ban">
          {blocked ? `Unblock ${name}` : `Block ${name}`}
        </MenuItem>
      </AskingForm>
      <Link className="menu__item" to={`/report/person/${otherId}`}>
        <Icon name="flag" />
        <span className="grow">Report {name}</span>
      </Link>
    </Menu>
  );
}
