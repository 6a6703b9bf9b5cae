import { parsedJson } from '../../kernel/parsed-json.ts';
import type { OutputLine } from '../app/options.ts';

/**
 * What CloudWatch would take a line for: an object whose `_aws` has `CloudWatchMetrics` is metrics.
 *
 * Source: "Specification: Embedded metric format".
 */
export function outputKind(line: string): OutputLine['kind'] {
  if (!line.startsWith('{') || !line.includes('"CloudWatchMetrics"')) return 'log';
  const said = parsedJson(line) as { _aws?: { CloudWatchMetrics?: unknown } } | undefined;
  return Array.isArray(said?._aws?.CloudWatchMetrics) ? 'metrics' : 'log';
}
