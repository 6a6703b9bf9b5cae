import { expect, it } from '@jest/globals';
import middy from '@middy/core';
import type { Context as LambdaContext, SQSBatchResponse, SQSEvent, SQSHandler } from 'aws-lambda';
import {
  createHandler,
  type HandlerContext,
  type IncomingMessage,
  type SagaHandlerContext,
  sagaOutbox,
  sqsBatch,
} from 'sagabox';
import { valibotHandlers, valibotSaga, zodSaga } from './definitions.types.ts';

async function plain(message: IncomingMessage, context: HandlerContext): Promise<void> {
  context.send('mail', message.type, message.body);
  // @ts-expect-error: a plain function validates its body itself
  message.body.orderId;
  // @ts-expect-error: and has no saga
  context.saga;
}

async function plainWithSaga(
  message: IncomingMessage<'OrderPlaced', { orderId: string }>,
  { saga }: SagaHandlerContext<{ lines: string[] }>,
): Promise<void> {
  saga.state.lines.push(message.body.orderId);
}

it('composes as the documentation says', () => {
  const composed = [
    sqsBatch(middy(zodSaga.handler).use(sagaOutbox({ saga: zodSaga }))),
    sqsBatch(middy(valibotSaga.handler).use(sagaOutbox({ saga: valibotSaga })), { concurrency: 5 }),
    sqsBatch(middy(valibotHandlers.handler).use(sagaOutbox())),
    sqsBatch(middy(plain).use(sagaOutbox())),
    sqsBatch(
      middy(async (message: IncomingMessage, context: HandlerContext) => {
        context.reply('Done', message.body);
      }).use(sagaOutbox()),
    ),
    sqsBatch(middy(plainWithSaga).use(sagaOutbox({ saga: valibotSaga }))),
    createHandler(zodSaga),
    createHandler([zodSaga, valibotHandlers], { endpoint: 'orders', concurrency: 1 }),
  ];

  // Each is an ordinary Lambda handler, as it is and in middlewares for the whole batch.
  const asLambda: ((event: SQSEvent, context: LambdaContext) => Promise<SQSBatchResponse>)[] = composed;
  const asSqsHandlers: SQSHandler[] = composed;
  const [first = createHandler(zodSaga)] = composed;
  const outer: SQSHandler = middy<SQSEvent, SQSBatchResponse>(first).use({ before: () => {} });
  const outerInferred: (event: SQSEvent, context: LambdaContext) => Promise<SQSBatchResponse> = middy(first);

  for (const handler of [...asLambda, ...asSqsHandlers, outer, outerInferred]) {
    expect(handler).toBeInstanceOf(Function);
  }
});
