import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';

/** What a run works with. */
export interface MeasureTarget {
  /** For people: `dynoxide 1.2.1`, or that it is an account. */
  readonly engine: string;
  readonly dynamoDBClient: DynamoDBClient;
  readonly sqsClient: SQSClient;
  /** The same as the outbox table where they share one. */
  readonly sagaTableName: string;
  readonly outboxTableName: string;
  /** One for each destination. */
  readonly queueUrls: readonly string[];
}
