import type { Figure } from './measure.ts';

/** In Markdown: a row for each number of messages and codec. */
export function comparisonTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ messages, codec, bytes, microseconds, writeUnits }) => {
    return `| ${messages} | ${codec} | ${bytes} | ${Math.round(microseconds)} | ${writeUnits} |`;
  });
  return ['| messages | codec | bytes | µs | write units |', '|---|---|---|---|---|', ...rows].join('\n');
}
