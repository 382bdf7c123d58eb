/** Radix's spinner. Decorative: whoever shows it says in words what is going on. */
export function Spinner() {
  return (
    <span className="rt-Spinner rt-r-size-2" aria-hidden="true">
      {[1, 2, 3, 4, 5, 6, 7, 8].map((leaf) => (
        <span key={leaf} className="rt-SpinnerLeaf" />
      ))}
    </span>
  );
}
