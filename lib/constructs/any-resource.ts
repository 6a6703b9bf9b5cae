/**
 * Resources that are made here or imported. The classes stand beside the interfaces that they implement
 * because TypeScript's `exactOptionalPropertyTypes` does not take them for these.
 */
import type { ITable, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { EventBus, IEventBus } from 'aws-cdk-lib/aws-events';
import type { Bucket, IBucket } from 'aws-cdk-lib/aws-s3';

export type AnyTable = ITable | Table | TableV2;
export type AnyEventBus = IEventBus | EventBus;
export type AnyBucket = IBucket | Bucket;
