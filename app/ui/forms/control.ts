import { createContext, useContext } from "react";

/** What a Field gives to the control in it, so that assistive technology knows its label, hint and error. */
interface ControlProps {
  id?: string;
  "aria-invalid"?: true;
  autoFocus?: true;
  "aria-describedby"?: string;
}

export const ControlContext = createContext<ControlProps>({});

/** The attributes of a control in a Field; none outside of one. */
export function useControl(): ControlProps {
  return useContext(ControlContext);
}
