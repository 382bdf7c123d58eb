import "./text-warning.css";
import { Icon } from "#app/ui/pictures/icon.tsx";

/** What somebody should be careful about in the text above, which another person wrote. Nothing for null. */
export function TextWarning({ children }: { children: string | null | undefined }) {
  if (!children) return null;
  return (
    <p className="text-warning">
      <Icon name="circle-alert" size="small" />
      {children}
    </p>
  );
}
