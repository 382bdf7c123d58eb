import { Button } from "#app/ui/button.tsx";
import { useTutorialRestart } from "./tutorial-gate.tsx";

/** The top bar's tutorial restart, where there is room for words. */
export function RestartButton() {
  const restart = useTutorialRestart();
  return (
    <Button variant="soft" tone="gray" icon="compass" onClick={restart}>
      Restart tutorial
    </Button>
  );
}
