import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { at, commitOf, outboxWrite } from './commits.ts';
import { dynamoDBPorts } from './dynamodb-ports.ts';
import { outgoingMessage } from './outgoing-messages.ts';
import { dynamoDBRelay } from './relay-subject.ts';

interface Stored {
  readonly name?: string;
  readonly stateVersion?: number;
  readonly isCompressed?: boolean;
}

/** Stores sagas and records in one table with the relay index, as handlers of the endpoint `orders` do. */
export function sagaWriter(client: DynamoDBClient, tableName: string) {
  const relay = dynamoDBRelay({ client, tableName, strategy: 'stream' });
  return {
    async saga(id: string, state: object = {}, stored: Stored = {}) {
      const { name = 'OrderSaga', stateVersion = 1, isCompressed: compressesState = false } = stored;
      const newCommitId = () => 'commit-1';
      const { committer } = dynamoDBPorts({ client, sagaTable: tableName, newCommitId, compressesState });
      const timeouts = [{ id: 'timeout-1', type: 'PaymentTimedOut', scheduled: true }];
      const saga = { kind: 'create', saga: { name, id }, state, stateVersion, timeouts } as const;
      await committer.commit(commitOf({ saga, at }));
    },
    /** A record of a message whose handler sent one, by a saga of this id if there was one. */
    async record(
      messageId: string,
      { ofSaga, isDispatched = false }: { ofSaga?: string; isDispatched?: boolean },
    ) {
      const headers = ofSaga !== undefined && {
        'Sagabox.Saga': 'OrderSaga',
        'Sagabox.CorrelationId': ofSaga,
      };
      const sent = [outgoingMessage({ id: `of-${messageId}`, ...(headers && { headers }) })];
      const outbox = outboxWrite(messageId, isDispatched ? [] : sent);
      await relay.committer.commit(commitOf({ outbox, at }), new CapacityMeter());
    },
  };
}
