import { App, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import {
  compensate,
  createHandler,
  createProducer,
  defineContract,
  defineHandlers,
  defineSaga,
  type HandlerContext,
  SagaboxError,
  scatterGather,
} from 'sagabox';
import { planWorkload } from 'sagabox/capacity';
import { MessageEndpoint, OutboxRelay, OutboxTable } from 'sagabox/constructs';
import { startDynamoDB, startLocalApp } from 'sagabox/local';
import { openTelemetry } from 'sagabox/opentelemetry';
import { testApp, testHandlers } from 'sagabox/testing';
import { z } from 'zod';

// Compiled with each version of TypeScript, and run by Node as an ES module and as CommonJS: no `await` outside.
async function run(): Promise<void> {
  const greetings = defineHandlers({
    messages: { Greet: z.object({ name: z.string() }) },
    handlers: { Greet: ({ body }, { reply }) => reply('Greeted', { name: body.name }) },
  });
  const test = testHandlers(greetings);
  await test.deliver('Greet', { name: 'Ada' });
  const [sent] = test.outgoing;
  if (sent?.type !== 'Greeted') throw new Error('The reply was not sent');
  const tested = testApp([{ endpoint: 'greetings', handles: greetings }]);
  tested.send('greetings', 'Greet', { name: 'Ada' });
  await tested.deliverAll();
  if (tested.sentTo('sender').length !== 1) throw new Error('The reply was not sent');
  // @ts-expect-error: the package's types reach the user
  await test.deliver('Greet', { name: 1 }).catch(() => {});

  const mail = defineContract(
    'mail',
    { Welcome: z.object({ name: z.string() }) },
    { replies: { Welcomed: z.object({ name: z.string() }) } },
  );
  const visits = defineHandlers({
    messages: { Visit: z.object({ name: z.string() }) },
    sends: [mail],
    handlers: {
      Visit({ body }, context) {
        welcome(body.name, context);
        // @ts-expect-error: there is no such destination
        context.send('mial', 'Welcome', body);
        // @ts-expect-error: there is no such type
        context.send('mail', 'Welcom', body);
        // @ts-expect-error: a name is a string
        context.send('mail', 'Welcome', { name: 1 });
      },
    },
  });
  function welcome(name: string, { send }: HandlerContext<{ sends: [typeof mail] }>): void {
    send('mail', 'Welcome', { name });
  }
  const wrong = await testHandlers(visits)
    .deliver('Visit', { name: 'Ada' })
    .catch((error: unknown) => error);
  if (!(wrong instanceof SagaboxError) || wrong.code !== 'InvalidOutgoingMessage') throw wrong;
  const producer = createProducer({ queueUrl: undefined, contract: mail });
  // @ts-expect-error: there is no such type
  const notSent = await producer.send('Welcom', { name: 'Ada' }).catch((error: unknown) => error);
  if (!(notSent instanceof SagaboxError) || notSent.code !== 'Configuration') throw notSent;

  await usePatterns();
  await useAppending();

  const refusal = await createHandler(greetings)({}).catch((error: unknown) => error);
  if (!(refusal instanceof SagaboxError) || refusal.code !== 'InvalidEvent') throw refusal;
  const missing = await startLocalApp({ assemblyDirectory: 'none' }).catch((error: unknown) => error);
  if (!(missing instanceof SagaboxError)) throw missing;
  if (typeof openTelemetry !== 'function') throw new Error('sagabox/opentelemetry has no openTelemetry');
  if (typeof planWorkload !== 'function') throw new Error('sagabox/capacity has no planWorkload');

  const engine = await startDynamoDB();
  await engine.stop();

  // The relay's own entry is bundled from what was built.
  const app = new App({ outdir: 'cdk.out' });
  const stack = new Stack(app, 'Stack');
  const endpoint = new MessageEndpoint(stack, 'Orders', {
    outboxTable: new OutboxTable(stack, 'Outbox'),
    function: new LambdaFunction(stack, 'Function', {
      runtime: Runtime.NODEJS_24_X,
      handler: 'index.handler',
      code: Code.fromInline('export const handler = async () => {};'),
    }),
  });
  new OutboxRelay(stack, 'Relay', { endpoints: [endpoint] });
  app.synth();
}

async function usePatterns(): Promise<void> {
  const trip = z.object({ tripId: z.string() });
  const quote = z.object({ requestId: z.string(), cents: z.number() });
  const flights = defineContract(
    'flights',
    { BookFlight: trip, CancelFlight: trip },
    { replies: { FlightBooked: trip, FlightCancelled: trip } },
  );
  const prices = defineContract(
    'prices',
    { RequestQuote: z.object({ requestId: z.string() }) },
    { replies: { QuoteGiven: quote } },
  );
  const quotes = scatterGather({
    name: 'Quotes',
    endpoint: 'trips',
    asks: prices,
    request: 'RequestQuote',
    reply: 'QuoteGiven',
    timeout: { minutes: 5 },
    gather: { initial: () => 0, add: (sum, { cents }) => sum + cents, merge: (one, other) => one + other },
  });
  const trips = compensate({
    name: 'Trip',
    startedBy: { TripRequested: trip },
    correlate: ({ tripId }) => tripId,
    steps: {
      flight: {
        to: flights,
        command: 'BookFlight',
        body: ({ request }) => request,
        completedBy: 'FlightBooked',
        timeout: { minutes: 5 },
        compensation: {
          command: 'CancelFlight',
          // @ts-expect-error: an id is a string
          body: () => ({ tripId: 1 }),
          completedBy: 'FlightCancelled',
          timeout: { minutes: 5 },
        },
      },
    },
  });
  const starter = defineHandlers({
    messages: { Start: trip, ...quotes.contract.replies },
    sends: [quotes.contract],
    handlers: {
      Start: (_message, context) => quotes.start(context, { id: '1', requests: [{}, {}] }),
      QuotesGathered: ({ body: { result } }, { send }) => {
        // @ts-expect-error: the result is a number
        result.length;
        if (result === 14) send('trips', 'QuotesCancel', { id: '1' });
      },
    },
  });
  const bookings = defineHandlers({
    messages: flights.messages,
    replies: [flights],
    handlers: {
      BookFlight: ({ body }, { reply }) => reply('FlightBooked', body),
      CancelFlight: ({ body }, { reply }) => reply('FlightCancelled', body),
    },
  });
  const priceList = defineHandlers({
    messages: prices.messages,
    replies: [prices],
    handlers: { RequestQuote: ({ body }, { reply }) => reply('QuoteGiven', { ...body, cents: 7 }) },
  });
  const app = testApp([
    { endpoint: 'trips', handles: [trips, quotes.saga] },
    { endpoint: 'starter', handles: starter },
    { endpoint: 'flights', handles: bookings },
    { endpoint: 'prices', handles: priceList },
  ]);
  app.send('trips', 'TripRequested', { tripId: '1' });
  app.send('starter', 'Start', { tripId: '1' });
  await app.deliverAll();
  if (app.state(trips, '1') !== undefined) throw new Error('The trip has not ended');
  if (app.endpoint('starter').outgoing.length !== 2) throw new Error('The quotes were not gathered');
}

async function useAppending(): Promise<void> {
  const poll = z.object({ pollId: z.string() });
  const polls = defineSaga({
    name: 'Poll',
    messages: { Opened: poll, Voted: poll, Ended: poll },
    correlate: {
      Opened: ({ pollId }) => pollId,
      Voted: ({ pollId }) => pollId,
      Ended: ({ pollId }) => pollId,
    },
    startedBy: ['Opened'],
    appendedBy: ['Voted'],
    collectedBy: ['Ended'],
    initialState: () => ({ votes: 0 }),
    handlers: {
      Opened(_message, { saga }) {
        // @ts-expect-error: it is not in `appendedBy`
        if (!saga.isNew) saga.append('votes', '1');
      },
      Voted({ body }, { saga }) {
        saga.append('votes', body.pollId, { keepFor: { days: 1 } });
        // @ts-expect-error: it is not in `collectedBy`
        if (body.pollId === '') saga.collect('votes');
      },
      async Ended(_message, { saga }) {
        const { values } = await saga.collect<string>('votes');
        saga.state.votes = values.length;
      },
    },
  });
  const test = testApp([{ endpoint: 'polls', handles: polls }]);
  for (const type of ['Opened', 'Voted', 'Voted', 'Ended'] as const) {
    test.send('polls', type, { pollId: '1' });
    await test.deliverAll();
  }
  if (test.state(polls, '1')?.votes !== 2) throw new Error('The votes were not collected');
}

run().catch((error: unknown) => {
  process.exitCode = 1;
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
});
