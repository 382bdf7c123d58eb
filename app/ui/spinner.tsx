/** Radix's spinner. Decorative: the component that shows it must say in words what is happening. */
export function Spinner() {
  return (
    <span className="rt-Spinner rt-r-size-2" aria-hidden="true">
      {[1, 2, 3, 4, 5, 6, 7, 8].map((leaf) => (
        <span key={leaf} className="rt-SpinnerLeaf" />
      ))}
    </span>
  );
}
