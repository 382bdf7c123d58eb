import { useId } from "react";

interface SwitchButtonProps {
  /** The field that is sent: "on" or "off". */
  name: string;
  isOn: boolean;
  /** While its form is being sent. */
  busy: boolean;
  /** What to know before pressing it. */
  hint: string;
  /** Its label. */
  children: string;
}

/** A switch that sends its form. It works without scripts. */
export function SwitchButton({ name, isOn, busy, hint, children }: SwitchButtonProps) {
  const id = useId();
  return (
    <div className="stack stack--tight">
      <button
        type="submit"
        className="switch"
        role="switch"
        name={name}
        value={isOn ? "off" : "on"}
        aria-checked={isOn}
        aria-describedby={id}
        aria-busy={busy}
      >
        <span className="switch__track" />
        {children}
      </button>
      <p className="quiet small" id={id}>
        {hint}
      </p>
    </div>
  );
}
