import { App, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import {
  createHandler,
  createProducer,
  defineContract,
  defineHandlers,
  type HandlerContext,
  SagaboxError,
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

run().catch((error: unknown) => {
  process.exitCode = 1;
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
});
