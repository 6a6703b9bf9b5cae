import { isDeepStrictEqual } from 'node:util';
import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { CallRecorder } from '../../lib/capacity/measured/call-recorder.ts';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import type { Clients } from '../../test/support/own-engines/clients.ts';
import type { Item } from '../cost/contenders.ts';
import { type Units, unitsOf } from '../cost/figures.ts';
import { withResources } from '../engines/resources.ts';
import type { StartSession } from './contenders.ts';
import { sameRequest } from './requests.ts';

export const requestKinds = ['first', 'repeated'] as const;
export type RequestKind = (typeof requestKinds)[number];

/** What a request took on the engines, the first time and again, and the item that keeps its response. */
export interface StoredResponse {
  readonly units: Readonly<Record<RequestKind, Units>>;
  readonly item: Item;
}

/** @throws Error if both requests were not answered alike, or if there is more than one item */
export async function storeResponse(start: StartSession, clients: Clients): Promise<StoredResponse> {
  return await withResources(clients, 'session', async ({ dynamoDBClient, sqsClient, tableName }) => {
    askForUnits(dynamoDBClient);
    const recorder = new CallRecorder();
    const stop = recorder.watch(dynamoDBClient, sqsClient);
    try {
      const handle = start({ dynamoDBClient, sqsClient }, tableName);
      const nextEvent = sameRequest();
      const answers: unknown[] = [];
      const request = async () =>
        unitsOf(
          await recorder.during(async () => {
            answers.push(await handle(nextEvent(), lambdaContext()));
          }),
        );
      const units = { first: await request(), repeated: await request() };
      const [first, repeated] = answers;
      // In DynamoDB a map has no order.
      if (!isDeepStrictEqual(first, repeated)) throw new Error('A repeated request got another answer');
      const { Items: [item, ...others] = [] } = await dynamoDBClient.send(
        new ScanCommand({ TableName: tableName, ConsistentRead: true }),
      );
      if (item === undefined || others.length > 0) throw new Error('The response is not in one item');
      return { units, item };
    } finally {
      stop();
      dynamoDBClient.middlewareStack.remove(asksForUnits);
    }
  });
}

const asksForUnits = 'asksForUnits';

/** Powertools does not. */
function askForUnits({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.add(
    (next) => (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
      return next(args);
    },
    { step: 'initialize', name: asksForUnits },
  );
}
