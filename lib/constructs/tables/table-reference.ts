import type { Stack } from 'aws-cdk-lib';
import { tableDefaults } from '../../dynamodb/table-defaults.ts';
import type { TableReference } from '../../settings/tables.ts';
import type { AnyTable } from '../construct-types.ts';
import { isInEnvironmentOf } from '../destinations/regions.ts';
import { placeOf, reachableTable } from './table-place.ts';
import { type AttributeNames, schemaOf } from './table-schema.ts';

/**
 * The name of the table, or its ARN unless it is certainly in the account and region of the stack, with the names
 * of its keys and its time to live attribute where they are not those of a table of sagabox.
 */
export function tableReference(table: AnyTable, stack: Stack): TableReference {
  const others = otherNames(schemaOf(table));
  // DynamoDB takes an ARN wherever it takes a name, and looks for a bare name in the caller's account.
  const isHere = isInEnvironmentOf(stack, { env: placeOf(table) });
  const tableName = reachableTable(table, isHere ? 'tableName' : 'tableArn');
  return Object.keys(others).length === 0 ? tableName : { tableName, ...others };
}

function otherNames(schema: AttributeNames = tableDefaults): Partial<AttributeNames> {
  const settings = Object.keys(tableDefaults) as (keyof AttributeNames)[];
  const others = settings.filter((setting) => schema[setting] !== tableDefaults[setting]);
  return Object.fromEntries(others.map((setting) => [setting, schema[setting]]));
}
