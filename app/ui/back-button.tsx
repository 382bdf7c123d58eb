import { useLocation, useNavigate } from "react-router";
import { Button } from "./button.tsx";

/** One step back (commerce spec §2); somebody who came here by a link goes to `otherwise`. */
export function BackButton({ otherwise }: { otherwise: string }) {
  const navigate = useNavigate();
  const { key } = useLocation();
  return (
    <Button
      variant="ghost"
      tone="gray"
      icon="arrow-left"
      onClick={() => void (key === "default" ? navigate(otherwise) : navigate(-1))}
    >
      Back
    </Button>
  );
}
