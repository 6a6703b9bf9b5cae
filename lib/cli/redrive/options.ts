import { Option } from 'commander';
import { jsonOption, since, url, wholeNumber } from '../option-values.ts';

export interface RedriveOptions {
  readonly from: string;
  /** `undefined` for the queue that each message came from. */
  readonly to?: string | undefined;
  readonly code?: readonly string[];
  readonly type?: readonly string[];
  readonly since?: Date;
  readonly max?: number;
  readonly dryRun?: boolean;
}

export const redriveOptions = [
  new Option('--from <url>', 'queue to take messages from').argParser(url).makeOptionMandatory(),
  new Option(
    '--to <url>',
    'queue to send them to (default: where each came from, by its failure header or by SQS)',
  ).argParser(url),
  new Option('--code <code...>', 'only messages that failed with one of these error codes'),
  new Option('--type <type...>', 'only messages of these types'),
  new Option(
    '--since <time>',
    'only messages that failed since a time (2026-11-21T06:00Z) or a duration ago (90s, 30m, 12h, 7d)',
  ).argParser(since),
  new Option('--max <n>', 'move at most n messages').argParser(wholeNumber),
  new Option('--dry-run', 'list what would be moved, and move nothing'),
  jsonOption,
];
