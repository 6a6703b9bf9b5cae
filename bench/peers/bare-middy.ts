import middy from '@middy/core';
import type { SQSEvent } from 'aws-lambda';
import type { Contender } from '../overhead/contender.ts';
import { orderFrom } from '../overhead/orders.ts';

/**
 * The floor: the bodies are parsed, checked and handled; a duplicate is handled twice, and one failure fails
 * the batch.
 */
export const bareMiddy: Contender = {
  name: 'bare middy',
  start(_clients, effect) {
    return middy<SQSEvent>().handler(async (event) => {
      for (const { body } of event.Records) effect(orderFrom(JSON.parse(body)));
      return { batchItemFailures: [] };
    });
  },
};
