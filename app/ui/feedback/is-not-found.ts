import { isRouteErrorResponse } from "react-router";

/** Whether an error means that there is no such thing, which loaders and actions say by throwing status 404. */
export function isNotFound(error: unknown): boolean {
  return isRouteErrorResponse(error) && error.status === 404;
}
