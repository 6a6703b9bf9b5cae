import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DisturbanceOptions } from './fleet/disturb.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { RoundOptions } from './options.ts';
import type { Resources } from './resources.ts';

export interface RoundSetting extends DisturbanceOptions {
  readonly options: RoundOptions;
  readonly resources: Resources;
  readonly fleet: Fleet;
  /** What all processes write down in a round. */
  readonly journalFile: string;
  readonly dynamoDB: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}
