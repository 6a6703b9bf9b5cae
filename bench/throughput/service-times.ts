import { setTimeout as delay } from 'node:timers/promises';
import { interceptCalls } from '../../test/support/intercepted-calls.ts';
import type { Clients } from '../../test/support/own-engines/clients.ts';

/**
 * How long a call takes at least, in milliseconds, as from a function in the same region.
 *
 * - A call of DynamoDB: "For most atomic operations, such as GetItem and PutItem, an average latency is in
 *   single-digit milliseconds". Source: "How can I troubleshoot high latency on an Amazon DynamoDB table?",
 *   AWS re:Post Knowledge Center, read in November 2026. 5 is the middle of that range.
 * - A transaction: twice that, as it prepares and commits its items one after the other. Source of the two
 *   phases: "Distributed Transactions at Scale in Amazon DynamoDB", USENIX ATC, July 2023.
 * - A send: 16 ms pass at the median between a producer and a function that SQS invokes, the send and the
 *   receive included. Source: "Serverless Messaging: Latency Compared", Bite-Sized Serverless, September
 *   2022. 10 leaves 6 of them to the receive.
 */
export const serviceTimesMs = { call: 5, transaction: 10, send: 10 } as const;

/**
 * From here on, each request of these clients takes as long as its service would. The time of the local
 * engine is part of it.
 */
export function injectServiceTimes({ dynamoDBClient, sqsClient }: Clients): void {
  for (const client of [dynamoDBClient, sqsClient]) {
    interceptCalls(client, 'request', async ({ operation, proceed }) => {
      const answered = delay(serviceTimeOf(operation));
      try {
        return await proceed();
      } finally {
        await answered;
      }
    });
  }
}

function serviceTimeOf(operation: string): number {
  if (operation.startsWith('SendMessage')) return serviceTimesMs.send;
  return operation.startsWith('Transact') ? serviceTimesMs.transaction : serviceTimesMs.call;
}
