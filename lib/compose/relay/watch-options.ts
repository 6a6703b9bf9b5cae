import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { TableConfiguration } from '../../dynamodb/table-defaults.ts';
import type { MessageLogger } from '../../messages/logger.ts';

export interface WatchOutboxOptions {
  /**
   * The tables whose streams the function reads, where the names of their attributes are not the default ones.
   *
   * @default those in the environment variable SAGABOX_WATCHER
   */
  tables?: readonly TableConfiguration[];
  /**
   * The endpoints whose unsent messages are listed: those of this region, if the table is replicated.
   *
   * @default those in the environment variable SAGABOX_WATCHER, else all
   */
  endpoints?: readonly string[];
  /** @default one of its own, whose calls end within seconds */
  dynamoDBClient?: DynamoDBClient;
  /** @default JSON lines on standard output */
  logger?: MessageLogger;
}
