import { Argument, Option } from 'commander';
import {
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
  readonly limit?: number;
  readonly startingToken?: string;
}

export const listArguments = [new Argument('<saga>', 'name of the saga, as in defineSaga')];

export const listOptions = [
  new Option(
    '--state <property=value>',
    'only sagas whose state has this value, such as status=compensationFailed',
  ).argParser(propertyValue),
  new Option('--limit <n>', `sagas of one page (default: ${DEFAULT_LIMIT})`).argParser(wholeNumber),
  stringOption('--starting-token <token>', 'where the last page ended, as it says'),
  ...scanOptions,
  ...sagaTableOptions,
  jsonOption,
];
