import { useContext } from "react";
import type { Tutorial } from "#app/tutorial/tutorial-rules.ts";
import { TOURS } from "#app/tutorial/tour-rules.ts";
import { Button } from "#app/ui/button.tsx";
import { SendContext } from "./send-context.ts";
import { readScene } from "./page-scene.ts";

/** Steers the tour by hand. `?debug=true` in the address shows it. */
export function DebugPanel({ tutorial }: { tutorial: Tutorial }) {
  const send = useContext(SendContext);
  const { open } = tutorial;
  const move = (type: "next" | "back") => send({ type, scene: readScene() });
  return (
    <aside className="tour-debug" aria-label="Tutorial debug">
      <p className="small numbers">
        {open ? `${open.tour} ${open.step + 1}/${TOURS[open.tour].length}` : tutorial.active ? "waiting" : "completed"}
      </p>
      <div className="row">
        <DebugButton
          label={open ? "Stop" : "Start"}
          onClick={() => send(open ? { type: "end" } : { type: "start", scene: readScene() })}
        />
        <DebugButton label="Orders" onClick={() => send({ type: "start-orders", scene: readScene() })} />
        <DebugButton label="Prev" disabled={!open} onClick={() => move("back")} />
        <DebugButton label="Next" disabled={!open} onClick={() => move("next")} />
        <DebugButton label="Reset" onClick={() => send({ type: "reset" })} />
      </div>
    </aside>
  );
}

function DebugButton({ label, disabled, onClick }: { label: string; disabled?: boolean; onClick: () => void }) {
  return (
    <Button size="small" variant="soft" disabled={disabled} onClick={onClick}>
      {label}
    </Button>
  );
}
