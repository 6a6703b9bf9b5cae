import { Argument, Option } from 'commander';
import type { Duration } from '../../kernel/duration.ts';
import type { RelayStrategy } from '../../relay/relay-defaults.ts';
import { relaySetting } from '../../settings/relay.ts';
import { outboxTableSetting } from '../../settings/tables.ts';
import { duration, formatDuration, jsonOption, stringOption } from '../option-values.ts';
import { type SagaTableValues, sagaTableOptions } from '../stored/saga-table.ts';
import { type ScanValues, scanOptions } from '../stored/scan-options.ts';

const whichRecords = ['pending', 'recent'] as const;

/** `pending`: not dispatched yet. `recent`: all that were stored a short time ago. */
export type WhichRecords = (typeof whichRecords)[number];

export const defaultSince = { hours: 1 } as const satisfies Duration;

export interface ShowValues extends SagaTableValues, ScanValues {
  readonly saga: string;
  readonly id: string;
  readonly records?: WhichRecords;
  readonly outboxTable?: string;
  readonly strategy?: RelayStrategy;
  readonly since?: Duration;
  readonly appended?: string;
}

export const showArguments = [
  new Argument('<saga>', 'name of the saga, as in defineSaga'),
  new Argument('<id>', 'its correlation value, or its hash as sagabox list prints it'),
];

export const showOptions = [
  new Option(
    '--records <which>',
    'outbox records of the endpoint too: pending are not dispatched yet, recent were stored --since',
  ).choices(whichRecords),
  new Option(
    '--since <duration>',
    `how old recent records are at most (default: ${formatDuration(defaultSince)})`,
  ).argParser(duration),
  stringOption('--outbox-table <name>', 'with --records: the outbox table of the endpoint').env(
    outboxTableSetting.variable,
  ),
  new Option(
    '--strategy <strategy>',
    'find pending records on the list that the watcher of the stream keeps in the outbox table, or by scanning ' +
      `it (default: that of ${relaySetting.variable}, else scan)`,
  ).choices(['stream', 'scan'] satisfies RelayStrategy[]),
  stringOption(
    '--appended <key>',
    'the values too that messages appended under a key, and none has collected yet',
  ),
  ...scanOptions,
  ...sagaTableOptions,
  jsonOption,
];
