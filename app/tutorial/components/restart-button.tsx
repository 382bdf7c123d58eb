import { Button } from "#app/ui/button.tsx";
import { useTutorialRestart } from "./tutorial-gate.tsx";

/** Restarts the tour, like the icon in the top bar. */
export function RestartButton() {
  const restart = useTutorialRestart();
  return (
    <Button className="scripted" variant="soft" icon="compass" onClick={restart}>
      Restart tutorial
    </Button>
  );
}
