import { Argument, Option } from 'commander';
import type { Duration } from '../../kernel/duration.ts';
import {
  duration,
  jsonOption,
  type PropertyValue,
  propertyValue,
  stringOption,
  wholeNumber,
} from '../option-values.ts';
import { type SagaTableValues, sagaTableOptions } from '../stored/saga-table.ts';
import { type ScanValues, scanOptions } from '../stored/scan-options.ts';

export const DEFAULT_LIMIT = 20;

export interface ListValues extends SagaTableValues, ScanValues {
  readonly saga: string;
  readonly state?: PropertyValue;
  readonly olderThan?: Duration;
  readonly limit?: number;
  readonly startingToken?: string;
}

export const listArguments = [new Argument('<saga>', 'name of the saga, as in defineSaga')];

export const listOptions = [
  new Option(
    '--state <property=value>',
    'only sagas whose state has this value, such as status=compensationFailed',
  ).argParser(propertyValue),
  new Option(
    '--older-than <duration>',
    'only sagas that nothing has changed for that long, such as 30m, 12h, 7d',
  ).argParser(duration),
  new Option('--limit <n>', `sagas of one page (default: ${DEFAULT_LIMIT})`).argParser(wholeNumber),
  stringOption('--starting-token <token>', 'where the last page ended, as it says'),
  ...scanOptions,
  ...sagaTableOptions,
  jsonOption,
];
