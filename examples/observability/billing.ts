import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import middy from '@middy/core';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, BatchSpanProcessor, ConsoleSpanExporter } from '@opentelemetry/sdk-trace-base';
import { createHandler, defineHandlers } from 'sagabox';
import { openTelemetry } from 'sagabox/opentelemetry';
import * as z from 'zod';

const serviceName = 'billing';
const logger = new Logger({ serviceName });
const metrics = new Metrics({ namespace: 'Shop', serviceName });

// An OTLPTraceExporter in its place sends the spans to a collector.
const spanProcessors = [new BatchSpanProcessor(new ConsoleSpanExporter())];
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

const billing = defineHandlers({
  messages: { ChargeCard: z.object({ orderId: z.string() }) },
  handlers: {
    ChargeCard({ body }, { send, logger }) {
      trace.getActiveSpan()?.setAttribute('order.id', body.orderId);
      logger.info('A card was charged', body);
      send('receipts', 'CardCharged', body);
    },
  },
});

const handleBatch = createHandler(billing, { logger, metrics, tracing: openTelemetry() });

/** Logger and Metrics of Powertools, and spans of OpenTelemetry in place of its Tracer: one for each message. */
export const handler = middy(handleBatch).use(injectLambdaContext(logger)).use(logMetrics(metrics));
