import { sqsEvent } from 'sagabox/testing';

// As Lambda does: the handler is loaded in the environment of the function, and then invoked. Its logs are on stdout.
const { handler } = await import('../../../examples/observability/orders.ts');
const event = sqsEvent([{ type: 'OrderPlaced', id: 'm1', body: { orderId: '7' } }]);
const context = { getRemainingTimeInMillis: () => 10_000 };
process.stderr.write(JSON.stringify(await handler(event, context as Parameters<typeof handler>[1])));
