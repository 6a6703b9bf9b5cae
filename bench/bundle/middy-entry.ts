import middy from '@middy/core';
import type { SQSEvent } from 'aws-lambda';

/** The minimum: it needs no client. */
export const handler = middy<SQSEvent>().handler(async (event) => {
  for (const { body } of event.Records) JSON.parse(body);
  return { batchItemFailures: [] };
});
