import type { OutputLine } from '../app/options.ts';

/**
 * What CloudWatch would take a line for: an object whose `_aws` has `CloudWatchMetrics` is metrics.
 *
 * Source: "Specification: Embedded metric format".
 */
export function outputKind(line: string): OutputLine['kind'] {
  if (!line.startsWith('{') || !line.includes('"CloudWatchMetrics"')) return 'log';
  try {
    return Array.isArray(JSON.parse(line)._aws?.CloudWatchMetrics) ? 'metrics' : 'log';
  } catch {
    return 'log';
  }
}
