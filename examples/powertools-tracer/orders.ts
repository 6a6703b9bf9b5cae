import { Tracer } from '@aws-lambda-powertools/tracer';
import { captureLambdaHandler } from '@aws-lambda-powertools/tracer/middleware';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import { createHandler, defineHandlers } from 'sagabox';
import * as z from 'zod';

const tracer = new Tracer({ serviceName: 'orders' });

const orders = defineHandlers({
  messages: { OrderPlaced: z.object({ orderId: z.string() }) },
  handlers: {
    async OrderPlaced({ body }, { send }) {
      tracer.putAnnotation('orderId', body.orderId);
      send('billing', 'ChargeCard', body);
    },
  },
});

const handleBatch = createHandler(orders, {
  // Their calls are subsegments, and carry the trace of this one to the queues.
  dynamoDBClient: tracer.captureAWSv3Client(new DynamoDBClient({ maxAttempts: 3 })),
  sqsClient: tracer.captureAWSv3Client(new SQSClient({ maxAttempts: 3 })),
});

export const handler = middy(handleBatch).use(captureLambdaHandler(tracer, { captureResponse: false }));
