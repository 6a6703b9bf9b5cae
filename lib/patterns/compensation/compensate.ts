import { SagaboxError } from '../../kernel/errors/errors.ts';
import type { Contract } from '../../messages/contracts/contract.ts';
import { headerNames } from '../../messages/headers.ts';
import type { IncomingMessage } from '../../messages/message.ts';
import type { MessageSchemas } from '../../messages/schema.ts';
import { defineSaga, type SagaType } from '../../saga/definition/define-saga.ts';
import { assertDefinition } from './check-definition.ts';
import type {
  AnyDefinition,
  CompensationDefinition,
  CompensationState,
  Intersected,
  RepliesOf,
  RequestOf,
  StepContracts,
  StepName,
} from './definition.ts';
import { type OwnBody, ownSchema, ownTypes } from './own-messages.ts';
import { newProcess, type PlannedStep } from './process.ts';
import { type ProcessContext, ProcessRun } from './process-run.ts';
import { expectedReplies, replySchemas } from './reply-events.ts';
import { isSameRequest } from './same-request.ts';

/** The replies that the services of the steps send. */
type Replies<C> = C extends Contract ? C['replies'] : never;
type MessagesOf<Starts extends MessageSchemas, Contracts> = Starts &
  Intersected<Replies<Contracts[keyof Contracts]>>;

/**
 * A saga that does steps one after another, each by a command to a service. When a service declines a step or does
 * not reply in time, the saga takes back what may have been done, the last step first.
 *
 * A compensation that is declined, or gets no reply in time, keeps the saga where it is: its state says so, and a
 * message `<name>CompensationFailed` goes to the error queue with the code `CompensationFailed`. Moved back by
 * `sagabox redrive`, it has the saga send the command of the compensation again. See docs/guide/compensation.md.
 *
 * @throws SagaboxError `Configuration` for a step that cannot work: a command or reply that its contract does not
 *   have, a reply that two steps wait for, a timeout that is no duration
 * @example
 * ```ts
 * import { compensate, createHandler, defineContract } from 'sagabox';
 * import * as v from 'valibot';
 *
 * const trip = v.object({ tripId: v.string() });
 * const flights = defineContract(
 *   'flights',
 *   { BookFlight: trip, CancelFlight: trip },
 *   { replies: { FlightBooked: trip, FlightDeclined: trip, FlightCancelled: trip } },
 * );
 *
 * export const tripSaga = compensate({
 *   name: 'TripSaga',
 *   startedBy: { TripRequested: trip },
 *   correlate: ({ tripId }) => tripId,
 *   steps: {
 *     flight: {
 *       to: flights,
 *       command: 'BookFlight',
 *       body: ({ request }) => request,
 *       completedBy: 'FlightBooked',
 *       declinedBy: 'FlightDeclined',
 *       timeout: { minutes: 10 },
 *       compensation: {
 *         command: 'CancelFlight',
 *         body: ({ request }) => request,
 *         completedBy: 'FlightCancelled',
 *         timeout: { hours: 1 },
 *       },
 *     },
 *   },
 * });
 *
 * export const handler = createHandler(tripSaga);
 * ```
 */
export function compensate<
  const Starts extends MessageSchemas,
  const Contracts extends StepContracts,
  const Sends extends readonly Contract[] = readonly [],
  const Publishes extends readonly Contract[] = readonly Contract[],
>(
  definition: CompensationDefinition<Starts, Contracts, Sends, Publishes>,
): SagaType<
  MessagesOf<Starts, Contracts>,
  CompensationState<RequestOf<Starts>, RepliesOf<Contracts>, StepName<Contracts>>,
  { readonly sends: readonly (Contracts[keyof Contracts] | Sends[number])[]; readonly publishes: Publishes }
> {
  const given = definition as unknown as AnyDefinition;
  assertDefinition(given);
  return sagaOf(given) as unknown as ReturnType<typeof compensate<Starts, Contracts, Sends, Publishes>>;
}

type Handler = (message: IncomingMessage, context: ProcessContext) => Promise<void>;

function sagaOf(definition: AnyDefinition) {
  const { name, startedBy, correlate, steps, sends = [], publishes, outbox, coalesce, state } = definition;
  const own = ownTypes(name);
  const plan: PlannedStep[] = Object.entries(steps).map(([step, { compensation }]) => ({
    name: step,
    hasCompensation: compensation !== undefined,
  }));
  const run = (context: ProcessContext) => new ProcessRun(definition, plan, context);
  const start: Handler = async ({ type, body }, context) => {
    if (context.saga.isNew) return run(context).start(body);
    const { name: sagaName, id: sagaId, state: process } = context.saga;
    const facts = { sagaName, sagaId, messageType: type };
    // Its sender has sent it twice. What differs is not lost: it fails.
    if (!isSameRequest(process.request, body)) throw new SagaboxError('ProcessRunning', facts);
    context.logger.info('A process is under way with the request of a message, which changes nothing', facts);
  };
  const onOwn: Readonly<Record<string, Handler>> = {
    [own.timedOut]: async ({ body }, context) => {
      const { step, attempt } = body as OwnBody;
      const event =
        attempt === 0
          ? { kind: 'timedOut' as const, step }
          : { kind: 'compensationTimedOut' as const, step, attempt };
      run(context).apply(event);
    },
    [own.compensationFailed]: async ({ body, headers }, context) => {
      const { step, attempt } = body as OwnBody;
      const state = context.saga.state.steps[step];
      // SQS may deliver a notice more than once: only an operator who moves it back resumes the process.
      const isRedriven = headers[headerNames.redriven] !== undefined;
      if (state?.status === 'compensationFailed' && state.attempt === attempt && !isRedriven) {
        const { name: sagaName, id: sagaId } = context.saga;
        const command = steps[step]?.compensation?.command ?? '';
        const facts = { sagaName, sagaId, step, command, attempt, reason: state.reason };
        throw new SagaboxError('CompensationFailed', facts);
      }
      run(context).apply({ kind: 'resumed', step, attempt });
    },
    [own.ended]: async (_message, context) => await run(context).end(),
  };
  const onReply = Object.fromEntries(
    expectedReplies(steps).map(({ type, event }): [string, Handler] => [
      type,
      async ({ body }, context) => run(context).apply(event, body),
    ]),
  );
  const ofAll = <T>(types: object, value: T) =>
    Object.fromEntries(Object.keys(types).map((type) => [type, value]));
  const ownSchemas = ofAll(onOwn, ownSchema);
  const replies = replySchemas(steps);
  return defineSaga({
    name,
    messages: { ...startedBy, ...replies, ...ownSchemas } as MessageSchemas,
    sends: [...new Set([...Object.values(steps).map(({ to }) => to), ...sends])],
    ...(publishes && { publishes }),
    startedBy: Object.keys(startedBy) as [string],
    correlate: {
      ...ofAll({ ...startedBy, ...replies }, correlate),
      ...ofAll(onOwn, (body: unknown) => (body as OwnBody).process),
    },
    // The handler that starts the process has its request.
    initialState: (): CompensationState => ({ ...newProcess(plan), request: null, replies: {} }),
    handlers: { ...ofAll(startedBy, start), ...onReply, ...onOwn } as never,
    ...(outbox !== undefined && { outbox }),
    ...(coalesce !== undefined && { coalesce }),
    ...(state !== undefined && { state }),
  });
}
