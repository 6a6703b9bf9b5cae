import { createHandler, defineHandlers } from 'sagabox';
import { z } from 'zod';

// Needs a client that is not installed, once it sends.
const greetings = defineHandlers({
  messages: { Greet: z.object({}) },
  handlers: { Greet: (_message, { send }) => send('events', 'Greeted', {}) },
});
const errors = [];
const logger = { info() {}, warn: (...args) => errors.push(args), error: (...args) => errors.push(args) };
const handler = createHandler(greetings, {
  endpoint: 'greetings',
  throwOnFullBatchFailure: false,
  outbox: false,
  destinations: { events: 'arn:aws:sns:eu-west-1:111122223333:events' },
  sqsClient: { send: async () => ({}) },
  logger,
  recoverability: { immediateRetries: { maxRetries: 0 } },
});
const record = {
  messageId: 'm',
  receiptHandle: 'r',
  body: '{}',
  attributes: { ApproximateReceiveCount: '1', SentTimestamp: '1' },
  eventSource: 'aws:sqs',
  messageAttributes: { 'Sagabox.MessageType': { dataType: 'String', stringValue: 'Greet' } },
  eventSourceARN: 'arn:aws:sqs:eu-west-1:111122223333:greetings',
};
handler({ Records: [record] }).then(({ batchItemFailures }) => {
  const told = JSON.stringify(errors);
  if (batchItemFailures.length === 1 && told.includes('npm install @aws-sdk/client-sns')) return;
  throw new Error(`A client that is not installed was not told of: ${told}`);
});
