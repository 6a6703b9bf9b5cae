import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import { Tracer } from '@aws-lambda-powertools/tracer';
import { captureLambdaHandler } from '@aws-lambda-powertools/tracer/middleware';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import { createHandler, defineHandlers } from 'sagabox';
import * as z from 'zod';

const serviceName = 'orders';
const logger = new Logger({ serviceName });
const metrics = new Metrics({ namespace: 'Shop', serviceName });
const tracer = new Tracer({ serviceName });

const orders = defineHandlers({
  messages: { OrderPlaced: z.object({ orderId: z.string() }) },
  handlers: {
    async OrderPlaced({ body }, { send, logger }) {
      tracer.putAnnotation('orderId', body.orderId);
      logger.info('An order was placed', body);
      send('billing', 'ChargeCard', body);
    },
  },
});

const handleBatch = createHandler(orders, {
  logger,
  metrics,
  // Their calls are subsegments, and carry the trace of this one to the queues.
  dynamoDBClient: tracer.captureAWSv3Client(new DynamoDBClient({ maxAttempts: 3 })),
  sqsClient: tracer.captureAWSv3Client(new SQSClient({ maxAttempts: 3 })),
});

/** All three of Powertools: a segment of X-Ray for each batch. */
export const handler = middy(handleBatch)
  .use(captureLambdaHandler(tracer, { captureResponse: false }))
  .use(injectLambdaContext(logger))
  .use(logMetrics(metrics));
