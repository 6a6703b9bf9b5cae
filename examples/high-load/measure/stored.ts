import { unmarshall } from '@aws-sdk/util-dynamodb';
import { sagaItem } from '../../../bench/engines/saga-items.ts';
import type { Clients } from '../../../test/support/own-engines/clients.ts';
import { bodiesIn } from '../../../test/support/received-records.ts';
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
    // The same message may arrive twice: its receiver would handle it once.
    bodiesIn: (sink) => bodiesIn(sqsClient, String(urls[sink])),
  };
}
