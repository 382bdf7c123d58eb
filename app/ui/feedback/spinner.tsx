/** Decorative: the component that shows it must say in words what is happening. */
export function Spinner() {
  return <span className="spinner" aria-hidden="true" />;
}
