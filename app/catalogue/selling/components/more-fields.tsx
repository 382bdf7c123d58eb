import { type ReactNode, useState } from "react";

interface MoreFieldsProps {
  title: string;
  /** What the fields say now, in words. */
  said: string;
  /** One of them has an error. */
  mustOpen: boolean;
  hidden?: boolean;
  children: ReactNode;
}

/** Fields that few sellers need. They are closed until somebody opens them, or one of them has an error. */
export function MoreFields({ title, said, mustOpen, hidden, children }: MoreFieldsProps) {
  const [open, setOpen] = useState(mustOpen);
  const [hadError, setHadError] = useState(mustOpen);
  // It opens when an error comes. Whoever closes it then finds it closed until the next one.
  if (mustOpen !== hadError) {
    setHadError(mustOpen);
    if (mustOpen) setOpen(true);
  }
  return (
    <details
      className="more-fields"
      hidden={hidden}
      open={open}
      onToggle={({ currentTarget, target }) => target === currentTarget && setOpen(currentTarget.open)}
    >
      <summary>
        {title} <span className="quiet small">{said}</span>
      </summary>
      <div className="stack">{children}</div>
    </details>
  );
}
