/** Prints cells in columns. */
export function printLines(lines: string[][]): void {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  for (const cells of lines) console.log(cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join("   "));
}

/** Prints a Markdown table with numbers in every column but the first. */
export function printMarkdown(titles: string[], rows: string[][]): void {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  console.log(
    [line(titles), line(titles.map((_, at) => (at === 0 ? "---" : "--:"))), ...rows.map(line), ""].join("\n"),
  );
}
