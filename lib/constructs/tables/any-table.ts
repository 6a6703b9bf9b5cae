import type { ITable, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';

/**
 * Any table, made here or imported. The classes stand beside the interface that they implement because
 * TypeScript's `exactOptionalPropertyTypes` does not take them for it.
 */
export type AnyTable = ITable | Table | TableV2;
