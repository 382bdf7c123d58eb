/** Prints cells in columns. */
export function printLines(lines: string[][]): void {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  for (const cells of lines) console.log(cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join("   "));
}
