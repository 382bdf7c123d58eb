import { useEffect, useRef } from "react";
import { type NavigateOptions, useLocation, useNavigate, useNavigation } from "react-router";

/** Navigates after an answer has come, unless people have left the screen meanwhile, or another one is loading. */
export function useLateNavigate(): (to: string, options?: NavigateOptions) => void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const target = useNavigation().location?.pathname ?? pathname;
  const current = useRef<string | null>(null);
  useEffect(() => {
    current.current = target;
    return () => {
      current.current = null;
    };
  }, [target]);
  return (to, options) => {
    if (current.current === pathname) void navigate(to, options);
  };
}
