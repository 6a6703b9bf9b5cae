import { writeSync } from 'node:fs';
import { createHandler, defineHandlers, SagaboxError, UnrecoverableError } from 'sagabox';
import { sqsRecord } from 'sagabox/testing';
import * as v from 'valibot';

/**
 * A function as it is deployed, minified, which is invoked as the runtime of Lambda would do it. What became
 * of its errors goes to stderr, so that stdout has what sagabox writes alone.
 */
const runtime = { hasContext: () => true, getRequestId: () => 'request-1' };
Object.assign(globalThis, { awslambda: { InvokeStore: runtime } });
if (process.env.AWS_LAMBDA_LOG_FORMAT === 'JSON') {
  for (const method of ['debug', 'log', 'info', 'warn', 'error'])
    Object.assign(console, { [method]: () => writeSync(2, 'the console of Lambda') });
}

const saga = { sagaName: 'Order', sagaId: '7' };
const shop = defineHandlers({
  messages: {
    Placed: v.object({ id: v.string() }),
    Broken: v.object({}),
    Locked: v.object({}),
    Stolen: v.object({}),
  },
  handlers: {
    Placed({ body }, { logger }) {
      logger.debug?.('not told', {});
      logger.info('placed', { order: body.id, total: 12n, at: new Date(0), message: 'of the caller' });
    },
    Broken() {
      throw new TypeError('a bug', { cause: new RangeError('its reason') });
    },
    Locked() {
      throw new SagaboxError('LockTimeout', { ...saga, attempts: 3, waitedMs: 100 });
    },
    Stolen() {
      throw new UnrecoverableError('The card was stolen');
    },
  },
});

const handler = createHandler(shop, {
  endpoint: 'orders',
  outbox: false,
  concurrency: 1,
  throwOnFullBatchFailure: false,
  recoverability: { immediateRetries: { maxRetries: 0 }, delayedRetries: { baseDelay: { seconds: 0 } } },
});

const bodies = { Placed: { id: '7' }, Broken: {}, Locked: {}, Stolen: {}, Invalid: {} };
const records = Object.entries(bodies).map(([type, body], index) =>
  sqsRecord({ id: `m${index}`, type: type === 'Invalid' ? 'Placed' : type, body }),
);
await handler({ Records: records });

const refusal: unknown = await handler({}).catch((error: unknown) => error);
const { name, code, stack } = refusal as SagaboxError;
const told = {
  isKnown: refusal instanceof SagaboxError,
  name,
  code,
  type: (refusal as SagaboxError).constructor.name,
  head: stack?.split('\n')[0],
};
writeSync(2, JSON.stringify(told));
