import { DeleteItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../support/raw-items.ts';
import { streamRecords } from '../../support/table-stream.ts';
import type { Behaviour, Bench, UnshownBehaviour } from './behaviour.ts';
import { outcomeOf, transact } from './observations.ts';

const changeCapture = 'Change data capture for DynamoDB Streams';

/** What the stream tells of an item: the kind of each change, and one attribute of its new image. */
async function changesOf({ client, streamedTableName }: Bench, { PK }: Item): Promise<unknown[]> {
  const records = await streamRecords(client, streamedTableName);
  return records
    .filter(({ dynamodb }) => dynamodb.Keys?.PK?.S === PK?.S)
    .map(({ eventName, dynamodb: { NewImage, SequenceNumber } }) => [
      eventName,
      NewImage?.text?.S,
      /^\d{1,40}$/.test(SequenceNumber),
    ]);
}

const put = ({ client, streamedTableName: TableName }: Bench, Item: Item, more: object = {}) =>
  client.send(new PutItemCommand({ TableName, Item, ...more }));

export const streams: readonly Behaviour[] = [
  {
    states: 'each change of an item is in the stream once, in order, with its new image',
    source: changeCapture,
    observe: async (bench) => {
      const key = bench.newKey();
      const TableName = bench.streamedTableName;
      await put(bench, { ...key, text: { S: 'first' } });
      await bench.client.send(
        new UpdateItemCommand({
          TableName,
          Key: key,
          UpdateExpression: 'SET #text = :text',
          ExpressionAttributeNames: { '#text': 'text' },
          ExpressionAttributeValues: { ':text': { S: 'second' } },
        }),
      );
      await bench.client.send(new DeleteItemCommand({ TableName, Key: key }));
      return await changesOf(bench, key);
    },
    onDynamoDB: [
      ['INSERT', 'first', true],
      ['MODIFY', 'second', true],
      ['REMOVE', undefined, true],
    ],
  },
  {
    states: 'a write of a transaction is in the stream',
    source: changeCapture,
    observe: async (bench) => {
      const key = bench.newKey();
      const TableName = bench.streamedTableName;
      await transact(bench, [{ Put: { TableName, Item: { ...key, text: { S: 'first' } } } }]);
      return await changesOf(bench, key);
    },
    onDynamoDB: [['INSERT', 'first', true]],
  },
  {
    states: 'a write that is refused is not in the stream',
    source: changeCapture,
    observe: async (bench) => {
      const item = { ...bench.newKey(), text: { S: 'first' } };
      await put(bench, item);
      await outcomeOf(put(bench, item, { ConditionExpression: 'attribute_not_exists(PK)' }));
      return await changesOf(bench, item);
    },
    onDynamoDB: [['INSERT', 'first', true]],
  },
];

export const unshownStreams: readonly UnshownBehaviour[] = [
  {
    states: 'a stream keeps a change for 24 hours, and one that is switched off and on again is another one',
    source: changeCapture,
    reason: 'Local engines keep changes for as long as they run',
    simulatedIn: { file: 'test/relay/watch-state.test.ts', mentions: 'a day in which nobody saw it read' },
  },
];
