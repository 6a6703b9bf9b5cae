/**
 * Resources that are made here or imported. The classes stand beside the interfaces that they implement
 * because TypeScript's `exactOptionalPropertyTypes` does not take them for these.
 */
import type { ITable, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { EventBus, IEventBus } from 'aws-cdk-lib/aws-events';
import type { Alias, IFunction, Function as LambdaFunction, Version } from 'aws-cdk-lib/aws-lambda';
import type { Bucket, IBucket } from 'aws-cdk-lib/aws-s3';
import type { ITopic, Topic } from 'aws-cdk-lib/aws-sns';

export type AnyTable = ITable | Table | TableV2;
export type AnyEventBus = IEventBus | EventBus;
export type AnyFunction = IFunction | LambdaFunction | Alias | Version;
export type AnyBucket = IBucket | Bucket;
export type AnyTopic = ITopic | Topic;
