import { useContext } from "react";
import type { Tutorial } from "#app/tutorial/rules.ts";
import { TOURS } from "#app/tutorial/tour-rules.ts";
import { Button } from "#app/ui/button.tsx";
import { SendContext } from "./send-context.ts";
import { lookAround } from "./stage.ts";

/** For trying the tour out, with ?debug=true in the address (accounts spec §2). */
export function DebugPanel({ tutorial }: { tutorial: Tutorial }) {
  const send = useContext(SendContext);
  const { open } = tutorial;
  return (
    <aside className="tour-debug" aria-label="Tutorial debug">
      <p className="small numbers">
        {open ? `${open.tour} ${open.step + 1}/${TOURS[open.tour].length}` : tutorial.active ? "waiting" : "completed"}
      </p>
      <div className="row">
        <DebugButton
          label={open ? "Stop" : "Start"}
          onClick={() => send(open ? { type: "close" } : { type: "start", scene: lookAround() })}
        />
        <DebugButton label="Orders" onClick={() => send({ type: "start-orders", scene: lookAround() })} />
        <DebugButton label="Prev" disabled={!open} onClick={() => send({ type: "back" })} />
        <DebugButton label="Next" disabled={!open} onClick={() => send({ type: "next" })} />
        <DebugButton label="Reset" onClick={() => send({ type: "reset" })} />
      </div>
    </aside>
  );
}

function DebugButton({ label, disabled, onClick }: { label: string; disabled?: boolean; onClick: () => void }) {
  return (
    <Button size="small" variant="soft" tone="gray" disabled={disabled} onClick={onClick}>
      {label}
    </Button>
  );
}
