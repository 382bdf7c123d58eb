import { useState } from "react";
import { Link, useFetcher } from "react-router";
import { ConfirmDialog } from "#app/ui/layers/dialog.tsx";
import { Icon } from "#app/ui/pictures/icon.tsx";
import { Menu, MenuItem } from "#app/ui/layers/menu.tsx";
import { type ActionResult, useResultToast } from "#app/ui/feedback/use-result-toast.ts";

interface ConversationMenuProps {
  otherId: string;
  name: string;
  blocked: boolean;
}

/** The address of these forms, on every page. */
const SAFETY_ACTION = "/conversations/safety";

/** The menu to block, unblock and report a conversation. */
export function ConversationMenu({ otherId, name, blocked }: ConversationMenuProps) {
  const fetcher = useFetcher<ActionResult>();
  const [asking, setAsking] = useState(false);
  useResultToast(fetcher.data);
  const send = (fields: Record<string, string>) =>
    void fetcher.submit({ ...fields, otherId }, { method: "post", action: SAFETY_ACTION });
  return (
    <>
      <Menu label="More" className="inbox__menu-button" face={<Icon name="ellipsis" />}>
        <MenuItem icon="ban" onClick={() => (blocked ? send({ intent: "unblock" }) : setAsking(true))}>
          {blocked ? `Unblock ${name}` : `Block ${name}`}
        </MenuItem>
        <Link className="menu__item" to={`/report/person/${otherId}`}>
          <Icon name="flag" />
          <span className="grow">Report {name}</span>
        </Link>
      </Menu>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Block ${name}?`}
        description={`You won't be able to message each other until you unblock ${name}. Old messages and open orders stay.`}
        confirmLabel="Block"
        destructive
        onConfirm={() => send({ intent: "block" })}
      />
    </>
  );
}
