/**
 * Browsers report rejected promises that nobody handles. React Router leaves three kinds behind that are no errors: of
 * data that is given up because somebody navigates on (AbortError), of answers that it looks at later (they have a
 * status), and of view transitions that take too long or are replaced by the next one (TimeoutError, InvalidStateError,
 * AbortError).
 */
if (!import.meta.env.SSR) {
  const names = ["AbortError", "TimeoutError", "InvalidStateError"];
  addEventListener("unhandledrejection", (event: PromiseRejectionEvent) => {
    const reason = Object(event.reason) as { name?: string };
    if (names.includes(reason.name ?? "") || "status" in reason) event.preventDefault();
  });
}
