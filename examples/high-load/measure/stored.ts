import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { sagaItem } from '../../../bench/engines/saga-items.ts';
import type { Clients } from '../../../test/support/own-engines/clients.ts';
import { readTable } from '../../order-fulfilment/ledgers.ts';
import type { Stored } from './design.ts';

export function storedIn(
  { dynamoDBClient, sqsClient }: Clients,
  tableName: string,
  dataTable: string,
  urls: Readonly<Record<string, string>>,
): Stored {
  return {
    async sagaState(name, id) {
      const item = await sagaItem({ dynamoDBClient, tableName }, { name, id });
      return item?.state?.M && unmarshall(item.state.M);
    },
    dataItems: () => readTable(dynamoDBClient, dataTable),
    async bodiesIn(sink) {
      const bodies: unknown[] = [];
      for (;;) {
        const command = new ReceiveMessageCommand({ QueueUrl: urls[sink], MaxNumberOfMessages: 10 });
        const { Messages: messages = [] } = await sqsClient.send(command);
        if (messages.length === 0) return bodies;
        bodies.push(...messages.map(({ Body = '' }) => JSON.parse(Body)));
      }
    },
  };
}
