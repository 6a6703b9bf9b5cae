import type { Option } from 'commander';
import { loadedEnvironment, loadSettings } from '../../compose/load-settings.ts';
import { tableOf } from '../../compose/table-settings.ts';
import { assertKeyName } from '../../dynamodb/keys.ts';
import type { Table } from '../../dynamodb/table-defaults.ts';
import { defined } from '../../kernel/defined.ts';
import { endpointSetting } from '../../settings/endpoint.ts';
import type { Environment } from '../../settings/setting.ts';
import { sagaTableSetting } from '../../settings/tables.ts';
import { refusedConfiguration } from '../command.ts';
import { endpointEnvironment } from '../deployed/endpoint-environment.ts';
import { stringOption } from '../option-values.ts';
import { tableOption } from './table-option.ts';

/** What names the saga table on the command line. */
export interface SagaTableValues {
  readonly stack?: string;
  readonly endpoint?: string;
  readonly table?: string;
  readonly partitionKey?: string;
  readonly sortKey?: string;
}

export const sagaTableOptions: readonly Option[] = [
  stringOption('--table <name>', 'saga table').env(sagaTableSetting.variable),
  stringOption(
    '--stack <name>',
    'in place of --table: stack with the endpoint, whose outputs hold the variables of its function',
  ).conflicts(['table', 'partitionKey', 'sortKey']),
  stringOption('--endpoint <name>', 'with --stack: endpoint of the saga').env(endpointSetting.variable),
  stringOption('--partition-key <name>', "the table's partition key (default: PK)"),
  stringOption('--sort-key <name>', "the table's sort key (default: SK)"),
];

export interface SagaLocation {
  readonly table: Table;
  /** Of the endpoint's function, or of this process. */
  readonly environment: Environment;
}

/** @throws RefusedInput for a name of a saga or a table that there cannot be, or an endpoint that there is not */
export async function sagaLocation(
  values: SagaTableValues & { readonly saga: string },
): Promise<SagaLocation> {
  const { saga, table, partitionKey, sortKey } = values;
  try {
    assertKeyName('saga', saga);
    const environment = await endpointEnvironment(values);
    await loadSettings(environment);
    const keys = defined({ partitionKeyName: partitionKey, sortKeyName: sortKey });
    const options =
      table === undefined ? {} : { sagaTable: { ...tableOption(sagaTableSetting, table), ...keys } };
    const loaded = loadedEnvironment(environment);
    return {
      table: tableOf(sagaTableSetting, options, loaded),
      environment: loaded,
    };
  } catch (error) {
    return refusedConfiguration(error);
  }
}
