import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { ShipmentEvent } from './shipment-messages.ts';

export interface Resources {
  readonly dynamoDBClient: DynamoDBClient;
  readonly sqsClient: SQSClient;
  readonly tableName: string;
  /** What is sent goes here. */
  readonly queueUrl: string;
}

/** One of the systems whose speed is compared. */
export interface Contender {
  /**
   * One invocation of its function, with all messages of the event at a time.
   *
   * @throws when a message fails
   */
  deliver(event: ShipmentEvent): Promise<void>;
}

export type StartContender = (resources: Resources) => Contender;
export type ContenderName = 'sagabox' | 'itemized';
