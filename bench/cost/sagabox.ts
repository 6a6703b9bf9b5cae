import { createHandler, type MessageLogger } from 'sagabox';
import { isEncoding } from '../../lib/core/compression.ts';
import { headerNames } from '../../lib/core/headers.ts';
import { unpack } from '../../lib/core/packing.ts';
import { eventRecord } from '../../lib/local/sqs-event.ts';
import { lambdaContext } from '../../lib/testing/lambda-context.ts';
import type { ContenderType } from './contender.ts';
import { endpoint, type OrderMessage, shipping } from './order-messages.ts';
import { orderSaga } from './order-saga.ts';

const queueArn = `arn:aws:sqs:us-east-1:000000000000:${endpoint}`;

/** The handler that a user of sagabox deploys, called as Lambda calls it. */
export const sagabox: ContenderType = {
  name: 'sagabox',

  start({ dynamoDBClient, sqsClient, tableName, queueUrl }) {
    const problems: string[] = [];
    const keep = (...parts: unknown[]) => void problems.push(parts.map(String).join(' '));
    const logger: MessageLogger = { info: () => {}, warn: keep, error: keep };
    const handler = createHandler(orderSaga, {
      endpoint,
      sagaTable: { tableName },
      outboxTable: { tableName },
      destinations: { [shipping]: queueUrl },
      dynamoDBClient,
      sqsClient,
      logger,
    });
    return {
      async deliver(messages) {
        const { batchItemFailures } = await handler({ Records: messages.map(recordOf) }, lambdaContext());
        if (batchItemFailures.length === 0) return;
        throw new Error(`sagabox failed ${batchItemFailures.length} messages: ${problems.join('; ')}`);
      },
    };
  },

  isSaga: (item) => item.SK?.S === 'SAGA',

  operationsIn(item) {
    if (item.operations?.B === undefined) return [];
    const encoding = item.encoding?.S;
    if (encoding !== undefined && !isEncoding(encoding)) throw new Error(`Unknown encoding '${encoding}'`);
    return unpack(item.operations.B, encoding).map((operation) => JSON.stringify(operation));
  },
};

function recordOf({ id, type, body }: OrderMessage) {
  const text = (StringValue: string) => ({ DataType: 'String', StringValue });
  return eventRecord(
    {
      MessageId: id,
      ReceiptHandle: id,
      Body: JSON.stringify(body),
      Attributes: { ApproximateReceiveCount: '1', SentTimestamp: String(Date.now()) },
      MessageAttributes: { [headerNames.messageId]: text(id), [headerNames.messageType]: text(type) },
    },
    queueArn,
  );
}
