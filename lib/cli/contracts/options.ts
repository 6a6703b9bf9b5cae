import { Argument, Option } from 'commander';
import { jsonOption, repeatedOption, stringOption } from '../option-values.ts';

export interface ContractsValues {
  readonly modules: readonly string[];
  readonly asyncapi?: boolean;
  readonly published?: readonly string[];
  readonly title?: string;
  readonly apiVersion?: string;
  readonly json?: boolean;
}

export const contractsArguments = [
  new Argument('<modules...>', 'modules that export contracts, and what takes and sends their messages'),
];

export const contractsOptions = [
  new Option('--asyncapi', 'write an AsyncAPI 3.0 document, in YAML or with --json in JSON'),
  repeatedOption(
    '--published <contract>',
    'contract that something else publishes, so that several may take its messages',
  ),
  stringOption('--title <title>', 'title of the document (default: the name in package.json, else sagabox)'),
  stringOption(
    '--api-version <version>',
    'version of the document (default: the one in package.json, else 0.0.0)',
  ),
  jsonOption,
];
