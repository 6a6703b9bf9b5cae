import { expect, it } from '@jest/globals';
import { InFlight } from '../../../lib/kernel/calls/in-flight.ts';
import { type Destination, parseDestinations } from '../../../lib/messages/destinations/destination.ts';
import type { OutgoingMessage } from '../../../lib/messages/message.ts';
import type { Transport } from '../../../lib/sending/dispatcher.ts';
import { RoutedDispatcher } from '../../../lib/sending/routed-dispatcher.ts';
import type { SendService } from '../../../lib/sending/transports/send-service.ts';
import { Sender } from '../../../lib/sending/transports/sender.ts';
import { errorOf, sagaboxErrorOf } from '../../support/error-of.ts';
import { awsError, type ClientFaults, type RecordedRequest } from '../../support/faults.ts';
import { MovingClock } from '../../support/moving-clock.ts';
import { numberedMessages } from '../../support/outgoing-messages.ts';

/** What a service says of one entry of a call. */
export type EntryAnswer = 'taken' | 'passing' | 'final';

export interface TransportSubject<To extends Destination> {
  readonly faults: ClientFaults;
  readonly service: SendService<To>;
  /** What sends a batch. */
  readonly operation: string;
  /** A new queue, topic or event bus; returns its address. */
  readonly createTarget: () => Promise<string>;
  /** Errors of a whole call that no retry helps. */
  readonly refusals: readonly string[];
  /** Errors of a whole call that may pass. */
  readonly passingErrors: readonly string[];
  /** The ids of the messages of a request. */
  readonly idsIn: (request: RecordedRequest) => readonly (string | undefined)[];
  /** The output of a call whose entries get these answers. */
  readonly outputOf: (answers: readonly EntryAnswer[]) => object;
  /** What an error says of entries with these answers. */
  readonly details: Readonly<Record<Exclude<EntryAnswer, 'taken'>, string>>;
}

/** A dispatcher of an endpoint whose destinations are all of one kind. */
export function dispatcherBy(transport: Transport, addresses: Record<string, string>): RoutedDispatcher {
  return new RoutedDispatcher({
    destinations: parseDestinations(addresses, 'test'),
    transports: { queue: transport, topic: transport, eventBus: transport },
    scheduler: undefined,
    clock: new MovingClock(),
  });
}

/** A dispatcher whose sender is its own. */
export function transportTo<To extends Destination>(
  service: SendService<To>,
  addresses: Record<string, string>,
  clock = new MovingClock(),
): RoutedDispatcher {
  return dispatcherBy(new Sender({ service, clock, commits: new InFlight(), random: () => 0.5 }), addresses);
}

/** How every transport batches and fails, whatever service it sends to. */
export function itSendsAsTransportsDo<To extends Destination>(subject: TransportSubject<To>): void {
  const { faults, service, operation, refusals, passingErrors, details } = subject;
  const messages = (count: number) => numberedMessages(count, 'events');
  const answer = (...answers: EntryAnswer[]) => faults.answer(operation, subject.outputOf(answers));
  const sentIds = () => faults.requests.map(subject.idsIn);
  const open = async (clock?: MovingClock) =>
    transportTo(service, { events: await subject.createTarget() }, clock);
  const failureOf = async (sent: readonly OutgoingMessage[]) =>
    await sagaboxErrorOf((await open()).dispatch(sent));

  it.each([
    [10, [10]],
    [11, [10, 1]],
  ])('takes a call for each ten messages: %i in calls of %j', async (count, calls) => {
    await (await open()).dispatch(messages(count));
    expect(sentIds().map(({ length }) => length)).toEqual(calls);
  });

  it.each([
    ...refusals.map((name) => [name, 'DispatchRefused']),
    ...[...passingErrors, 'TimeoutError'].map((name) => [name, 'DispatchFailed']),
  ])('that fails as a whole by %s is %s', async (name = '', code) => {
    const failure = awsError(name);
    faults.fail(operation, failure);
    const error = await failureOf(messages(1));
    expect(error.code).toBe(code);
    expect(error.cause).toBe(failure);
    expect(error.facts).toEqual({ destination: 'events', failures: [`${name}: ${name} of the test`] });
  });

  it.each([...service.destinationErrors, ...passingErrors])(
    'that fails as a whole by %s is not made again for each message',
    async (name) => {
      faults.fail(operation, awsError(name));
      await failureOf(messages(3));
      expect(sentIds()).toHaveLength(1);
    },
  );

  it.each([...service.messageErrors])(
    'that fails as a whole by %s is made again for each message by itself',
    async (name) => {
      faults.fail(operation, awsError(name));
      await (await open()).dispatch(messages(3));
      expect(sentIds()).toEqual([
        ['events-0', 'events-1', 'events-2'],
        ['events-0'],
        ['events-1'],
        ['events-2'],
      ]);
    },
  );

  it('sends the entries that were not taken again, them alone and in their order, after growing delays', async () => {
    const clock = new MovingClock();
    answer('passing', 'taken', 'passing');
    answer('taken', 'passing');
    await (await open(clock)).dispatch(messages(3));
    expect(sentIds()).toEqual([['events-0', 'events-1', 'events-2'], ['events-0', 'events-2'], ['events-2']]);
    expect(clock.sleepsMs).toEqual([50, 100]);
  });

  it('sends no entry again that the service refuses for good, but those beside it', async () => {
    answer('passing', 'final');
    const error = await failureOf(messages(2));
    expect(error).toHaveProperty('code', 'DispatchRefused');
    expect(error.facts).toEqual({ destination: 'events', failures: [details.final] });
    expect(sentIds()).toEqual([['events-0', 'events-1'], ['events-0']]);
  });

  it('gives up on an entry after four rounds', async () => {
    for (let round = 1; round <= 4; round += 1) answer('passing');
    const error = await failureOf(messages(1));
    expect(error).toHaveProperty('code', 'DispatchFailed');
    expect(error.facts).toEqual({ destination: 'events', failures: [details.passing] });
    expect(sentIds()).toHaveLength(4);
  });

  it('of nothing takes no call', async () => {
    await (await open()).dispatch([]);
    expect(faults.operations).toEqual([]);
  });
}

/** @param serviceOf a client that fails to load */
export function itLoadsItsClientWhenNeeded<To extends Destination>(
  serviceOf: (loadClient: () => Promise<never>) => SendService<To>,
  address: string,
): void {
  const failure = new Error('not installed');
  const transport = () =>
    transportTo(
      serviceOf(() => Promise.reject(failure)),
      { events: address },
    );

  it('whose client cannot be loaded throws what the load throws', async () => {
    expect(await errorOf(transport().dispatch(numberedMessages(1, 'events')))).toBe(failure);
  });

  it('of nothing loads no client', async () => {
    const service = serviceOf(() => Promise.reject(failure));
    const [to] = parseDestinations({ events: address }, 'test').values();
    await new Sender({ service, clock: new MovingClock(), commits: new InFlight() }).send([], to as To);
  });
}

/** As SQS and SNS tell of the entries of a batch. */
export function failedEntries(answers: readonly EntryAnswer[]): object {
  const failures = answers.map((answer, index) => ({
    Id: String(index),
    SenderFault: answer === 'final',
    ...(answer === 'passing' && { Code: 'InternalError', Message: 'Sorry' }),
  }));
  return { Failed: failures.filter((_failure, index) => answers[index] !== 'taken') };
}
