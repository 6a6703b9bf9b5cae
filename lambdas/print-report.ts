import type { MessageReport } from 'sagabox';

/** One line of JSON a message, for whoever reads the function's log. */
export function printReport(report: MessageReport): void {
  console.log(JSON.stringify({ sagabox: report }, errorsAsStrings));
}

function errorsAsStrings(_key: string, value: unknown): unknown {
  return value instanceof Error ? String(value) : value;
}
