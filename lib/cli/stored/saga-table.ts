import type { Option } from 'commander';
import type { Table } from '../../adapters/dynamodb/table.ts';
import { environmentVariables } from '../../core/environment-variables.ts';
import { assertKeyName } from '../../core/storage/keys.ts';
import { loadedEnvironment, loadSettings } from '../../middleware/load-settings.ts';
import type { Environment } from '../../middleware/settings.ts';
import { tableOf } from '../../middleware/table-settings.ts';
import { refusedConfiguration } from '../command.ts';
import { endpointEnvironment } from '../deployed/endpoint-environment.ts';
import { stringOption } from '../option-values.ts';
import { given, tableStatedBy } from './stated-table.ts';

/** What names the saga table on the command line. */
export interface SagaTableValues {
  readonly stack?: string;
  readonly endpoint?: string;
  readonly table?: string;
  readonly partitionKey?: string;
  readonly sortKey?: string;
}

export const sagaTableOptions: readonly Option[] = [
  stringOption('--table <name>', 'saga table').env(environmentVariables.sagaTable),
  stringOption(
    '--stack <name>',
    'in place of --table: stack with the endpoint, whose outputs hold the variables of its function',
  ).conflicts(['table', 'partitionKey', 'sortKey']),
  stringOption('--endpoint <name>', 'with --stack: endpoint of the saga').env(environmentVariables.endpoint),
  stringOption('--partition-key <name>', "the table's partition key (default: PK)"),
  stringOption('--sort-key <name>', "the table's sort key (default: SK)"),
];

export interface SagaPlace {
  readonly table: Table;
  /** Of the endpoint's function, or of this process. */
  readonly environment: Environment;
}

/** @throws RefusedInput for a name of a saga or a table that there cannot be, or an endpoint that there is not */
export async function sagaPlace(values: SagaTableValues & { readonly saga: string }): Promise<SagaPlace> {
  const { saga, table, partitionKey, sortKey } = values;
  try {
    assertKeyName('saga', saga);
    const environment = await endpointEnvironment(values);
    await loadSettings(environment);
    const stated = table === undefined ? undefined : tableStatedBy(environmentVariables.sagaTable, table);
    const keys = given({ partitionKeyName: partitionKey, sortKeyName: sortKey });
    const loaded = loadedEnvironment(environment);
    return {
      table: tableOf('sagaTable', stated ? { sagaTable: { ...stated, ...keys } } : {}, loaded),
      environment: loaded,
    };
  } catch (error) {
    return refusedConfiguration(error);
  }
}
