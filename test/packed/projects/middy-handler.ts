import middy from '@middy/core';
import { defineHandlers, sagaOutbox, sqsBatch } from 'sagabox';
import { z } from 'zod';

// Compiled and run with each version of Middy.
const names: string[] = [];
const greetings = defineHandlers({
  messages: { Greet: z.object({ name: z.string() }) },
  handlers: { Greet: ({ body }) => void names.push(body.name) },
});
const handler = sqsBatch(middy(greetings.handler).use(sagaOutbox({ endpoint: 'greetings', outbox: false })));

const record = {
  messageId: 'm',
  receiptHandle: 'r',
  body: '{"name":"Ada"}',
  attributes: {
    ApproximateReceiveCount: '1',
    SentTimestamp: '1',
    SenderId: 's',
    ApproximateFirstReceiveTimestamp: '1',
  },
  eventSource: 'aws:sqs',
  messageAttributes: { 'Sagabox.MessageType': { dataType: 'String' as const, stringValue: 'Greet' } },
  eventSourceARN: 'arn:aws:sqs:eu-west-1:111122223333:greetings',
  awsRegion: 'eu-west-1',
  md5OfBody: '',
};
handler({ Records: [record] }).then(({ batchItemFailures }) => {
  if (batchItemFailures.length > 0 || names.join() !== 'Ada') throw new Error(`Greeted: ${names.join()}`);
});
