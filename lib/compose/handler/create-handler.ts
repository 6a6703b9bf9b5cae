import { withParticipants } from '../../messages/contracts/participant.ts';
import { assertOptions, createHandlerChecks } from '../assert-options.ts';
import { configuredFlow } from '../configured-flow.ts';
import type { CreateHandlerOptions } from '../options.ts';
import type { SqsBatchHandler } from './batch-handler.ts';
import { type Definition, routeMessages } from './route-messages.ts';
import { sqsBatchOf } from './sqs-batch.ts';

/**
 * Makes the Lambda handler of one saga or handler set, or of several in one function: each message goes to
 * the one that takes its type. The handler does what `sqsBatch(middy(definition.handler).use(sagaOutbox(…)))`
 * does, without middy.
 *
 * @throws SagaboxError `Configuration` when two definitions take one message type, or settings are out of
 *   range
 * @example
 * ```ts
 * import { createHandler, defineHandlers } from 'sagabox';
 * import * as v from 'valibot';
 *
 * const billing = defineHandlers({
 *   messages: { ChargeCard: v.object({ orderId: v.string() }) },
 *   handlers: { ChargeCard: (message, { reply }) => reply('CardCharged', message.body) },
 * });
 *
 * export const handler = createHandler(billing, { endpoint: 'billing' });
 * ```
 */
export function createHandler(
  definitions: Definition | readonly Definition[],
  options: CreateHandlerOptions = {},
): SqsBatchHandler {
  assertOptions('createHandler', options, createHandlerChecks);
  const all = [definitions].flat() as Definition[];
  const { handler, messageTypes } = routeMessages('createHandler', all, (saga) =>
    configuredFlow({ ...options, ...(saga && { saga }) }),
  );
  return withParticipants(sqsBatchOf(handler, options, messageTypes), all);
}
