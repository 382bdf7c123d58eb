import { Outlet } from "react-router";
import { PublicFailure, PublicFrame } from "#app/screens/public-frame.tsx";

/** Public pages: what people share, and what visitors and search engines can open without an account. */
export default function PublicLayout() {
  return (
    <PublicFrame>
      <Outlet />
    </PublicFrame>
  );
}

export function ErrorBoundary() {
  return (
    <PublicFrame>
      <PublicFailure />
    </PublicFrame>
  );
}
