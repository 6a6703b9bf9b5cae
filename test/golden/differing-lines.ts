const MAX_LINES = 40;
const MAX_LENGTH = 400;

/** The lines that only one of two files has: `-` for the recorded one, `+` for that of now. */
export function differingLines(recorded: string, now: string): readonly string[] {
  const before = recorded.split('\n');
  const after = now.split('\n');
  const lines = [
    ...without(before, after).map((line) => `- ${line}`),
    ...without(after, before).map((line) => `+ ${line}`),
  ];
  // Lines that only changed places.
  if (lines.length === 0 && recorded !== now) return ['the order of its lines'];
  const left = lines.length - MAX_LINES;
  return [...lines.slice(0, MAX_LINES).map(shortened), ...(left > 0 ? [`and ${left} more lines`] : [])];
}

function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = counts.get(line) ?? 0;
    counts.set(line, count - 1);
    return count <= 0;
  });
}

const shortened = (line: string) => (line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)} …` : line);
