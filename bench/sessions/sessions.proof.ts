import { describe, expect, it } from '@jest/globals';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import { dynamoDBClient, sqsClient } from '../../test/support/engines.ts';
import { sessionContenderNames, sessionContenders } from './contenders.ts';
import { sameRequest } from './requests.ts';
import { storeResponse } from './stored-response.ts';
import { sessionStubs } from './stub-clients.ts';

const answer = {
  statusCode: 201,
  headers: { location: '/orders/order-42' },
  body: '{"orderId":"order-42","total":129.9,"state":"placed"}',
};

describe.each(sessionContenderNames)('%s', (name) => {
  it('answers the first request and its repetition alike, of the engine and of a stub with its item', async () => {
    const start = sessionContenders[name];
    const clients = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };
    const { units, item } = await storeResponse(start, clients);
    const reads = name === 'sagabox' ? 1 : 0;
    expect(units).toEqual({
      first: { calls: 2, rcu: reads, wcu: 2 - reads, refusedWcu: 0 },
      repeated: { calls: 1, rcu: reads, wcu: 0, refusedWcu: 1 - reads },
    });
    for (const stored of [undefined, item]) {
      const handle = start(sessionStubs(stored), 'sessions');
      expect(await handle(sameRequest()(), lambdaContext())).toMatchObject(answer);
    }
  });
});
