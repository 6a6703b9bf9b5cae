import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Fleet } from './fleet/fleet.ts';
import type { RoundOptions } from './options.ts';
import type { Resources } from './resources.ts';

export interface RoundSetting {
  readonly options: RoundOptions;
  readonly resources: Resources;
  readonly fleet: Fleet;
  /** Whether workers are killed. */
  readonly kill: boolean;
  readonly dynamoDB: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}
