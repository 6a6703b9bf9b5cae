import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { decodeFailure, describeError } from '../../../lib/messages/failures/failure-facts.ts';
import { fuzzTimeoutMs, holdsForAll } from '../fuzz.ts';
import { expectAllCoded, expectAllOrNothing } from '../ledger-checks.ts';
import { hostileThrown, type Maker, oddThrown } from '../odd-values.ts';
import { asked, deliverTo, subjectOf } from './odd-saga.ts';

jest.setTimeout(fuzzTimeoutMs);

describe('what user code throws', () => {
  const places = ['handler', 'correlate', 'schema', 'toJSON'] as const;

  it('anything, anywhere: the message is in the error queue or returned, and no other is harmed', async () => {
    const cases = fc.tuple(hostileThrown, fc.constantFrom(...places));
    await holdsForAll(
      cases,
      100,
      async ([makeThrown, place]) => {
        const thrown = makeThrown();
        const fail = () => {
          throw thrown;
        };
        const endpoint = subjectOf(
          place === 'toJSON'
            ? ({ send }) => send('billing', 'Odd', { toJSON: fail })
            : place === 'handler'
              ? fail
              : () => {},
          place === 'correlate' ? fail : () => 'odd',
          place === 'schema' ? fail : undefined,
        );
        const { returned, errors } = await deliverTo(endpoint);
        expectAllOrNothing(endpoint);
        const isForwarded = endpoint.sqs.sends.length === 1;
        expect(returned).toHaveLength(isForwarded ? 0 : 1);
        if (place === 'toJSON') expectAllCoded(errors);
      },
      oddThrown.flatMap((make) => places.map((place): [Maker, (typeof places)[number]] => [make, place])),
    );
  });

  it('anything, for the last time: it is told in the error queue', async () => {
    await holdsForAll(
      hostileThrown,
      80,
      async (makeThrown) => {
        const endpoint = subjectOf(() => {
          throw makeThrown();
        });
        const record = {
          ...asked('m-1'),
          attributes: { ApproximateReceiveCount: '3', SentTimestamp: '0' },
        };
        const outcome = await endpoint.deliver([record]);
        expect(outcome.returned).toEqual([]);
        const [sent] = endpoint.sqs.sends;
        const header = sent?.MessageAttributes?.['Sagabox.Failure']?.StringValue;
        expect(decodeFailure(header)).toMatchObject({
          receiveCount: 3,
          code: describeError(makeThrown()).code,
        });
      },
      oddThrown,
    );
  });
});
