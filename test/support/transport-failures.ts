import { expect, it } from '@jest/globals';
import { parseDestinations } from '../../lib/core/outgoing/destination.ts';
import type { Transport } from '../../lib/ports.ts';
import { sagaboxErrorOf } from './error-of.ts';
import { awsError, type ClientFaults } from './faults.ts';
import { numberedMessages } from './outgoing-messages.ts';

type Destinations = ReturnType<typeof parseDestinations>;

export interface TransportSubject {
  readonly faults: ClientFaults;
  /** @param failure of the load of its client */
  readonly open: (destinations: Destinations, failure?: Error) => Transport;
  /** What sends a batch. */
  readonly operation: string;
  /** A new topic or event bus; returns its address. */
  readonly createTarget: () => Promise<string>;
  readonly addressOfAnotherKind: string;
  /** Errors of the service that no retry helps. */
  readonly refusals: readonly string[];
  /** Errors of the service that may pass. */
  readonly passingErrors: readonly string[];
}

/** How every transport fails, whatever service it sends to. */
export function itFailsAsTransportsDo(subject: TransportSubject): void {
  const { faults, operation, refusals, passingErrors } = subject;
  const open = (addresses: Record<string, string>, failure?: Error) =>
    subject.open(parseDestinations(addresses, 'test'), failure);

  it.each([
    ...refusals.map((name) => [name, 'DispatchRefused']),
    ...[...passingErrors, 'TimeoutError'].map((name) => [name, 'DispatchFailed']),
  ])('that fails as a whole by %s is %s', async (name = '', code) => {
    const failure = awsError(name);
    faults.fail(operation, failure);
    const transport = open({ events: await subject.createTarget() });
    const error = await sagaboxErrorOf(transport.dispatch(numberedMessages(1, 'events')));
    expect(error.code).toBe(code);
    expect(error.cause).toBe(failure);
    expect(error.facts).toEqual({ destination: 'events', failures: [`${name}: ${name} of the test`] });
  });

  it.each([
    ['that is not configured', {}],
    ['of another kind', { events: subject.addressOfAnotherKind }],
  ])('to a destination %s is Configuration', async (_name, addresses) => {
    const error = await sagaboxErrorOf(open(addresses).dispatch(numberedMessages(1, 'events')));
    expect(error.code).toBe('Configuration');
    expect(error.message).toContain("destination 'events'");
    expect(faults.operations).toEqual([]);
  });

  it('whose client cannot be loaded throws what the load throws', async () => {
    const failure = new Error('not installed');
    const transport = open({ events: await subject.createTarget() }, failure);
    await expect(transport.dispatch(numberedMessages(1, 'events'))).rejects.toBe(failure);
  });

  it('of nothing takes neither a call nor a client', async () => {
    await open({}, new Error('It was loaded')).dispatch([]);
    expect(faults.operations).toEqual([]);
  });
}
