import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { createHandler, defineHandlers } from 'sagabox';
import { z } from 'zod';

const billing = defineHandlers({
  messages: { ChargeCard: z.object({ orderId: z.string() }) },
  handlers: { ChargeCard() {} },
});

/** Powertools' Logger and Metrics fit as they are. */
export const handler = createHandler(billing, {
  logger: new Logger({ serviceName: 'billing' }),
  metrics: new Metrics({ namespace: 'shop', serviceName: 'billing' }),
});
