import middy from '@middy/core';
import type { SQSEvent } from 'aws-lambda';

/** The floor: it has no client, and nothing to make one for. */
export const handler = middy<SQSEvent>().handler(async (event) => {
  for (const { body } of event.Records) JSON.parse(body);
  return { batchItemFailures: [] };
});
