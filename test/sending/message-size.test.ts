import { describe, expect, it } from '@jest/globals';
import { type DestinationAddress, parseDestinations } from '../../lib/messages/destinations/destination.ts';
import { needsClaimCheck, sizeProblem } from '../../lib/sending/message-size.ts';
import { outgoingMessage, wireMessageOfSize } from '../support/outgoing-messages.ts';

function destinationAt(address: DestinationAddress) {
  const destination = parseDestinations({ billing: address }, 'test').get('billing');
  if (destination === undefined) throw new Error('There is none');
  return destination;
}

const queue = 'https://queues.test/billing';
const topic = 'arn:aws:sns:eu-west-1:123456789012:prices';

describe('a message', () => {
  it.each<[string, DestinationAddress, number]>([
    ['a queue of which nothing is known', queue, 262_144],
    ['a queue that takes less', { address: queue, maxMessageSizeBytes: 1_024 }, 1_024],
    ['a queue that takes more', { address: queue, maxMessageSizeBytes: 1_048_576 }, 1_048_576],
    ['a topic of which nothing is known', topic, 262_144],
    ['a topic that takes more', { address: topic, maxMessageSizeBytes: 500_000 }, 500_000],
  ])('to %s may have as many bytes as that takes, and not one more', (_which, address, maxBytes) => {
    const destination = destinationAt(address);
    expect(sizeProblem(wireMessageOfSize(maxBytes), destination)).toBeUndefined();
    const problem = sizeProblem(wireMessageOfSize(maxBytes + 1), destination);
    expect(problem).toContain(`it takes ${maxBytes + 1} bytes, over the ${maxBytes} `);
    expect(problem).toContain('configure a claim check');
    // Nothing takes more than 1 MiB.
    expect(problem?.includes("state the 'maxMessageSizeBytes'")).toBe(maxBytes < 1_048_576);
  });
});

describe('a body goes to the claim check bucket', () => {
  const body = 'x'.repeat(98);

  it.each([
    [100, 'do not'],
    [99, 'do'],
  ])('when it takes more than the threshold as JSON: over one of %i, 100 bytes %s', (threshold, they) => {
    const isNeeded = they === 'do';
    expect(needsClaimCheck(outgoingMessage({ body }), destinationAt(queue), threshold)).toBe(isNeeded);
    expect(needsClaimCheck(outgoingMessage({ body }), undefined, threshold)).toBe(isNeeded);
  });

  it('when its destination would not take its message, however high the threshold', () => {
    const [fitting, larger] = [262_144, 262_145].map((bytes) => wireMessageOfSize(bytes));
    if (!fitting || !larger) throw new Error('There are two');
    expect(needsClaimCheck(fitting, destinationAt(queue), 1_000_000)).toBe(false);
    expect(needsClaimCheck(larger, destinationAt(queue), 1_000_000)).toBe(true);
    const roomy = destinationAt({ address: queue, maxMessageSizeBytes: 1_048_576 });
    expect(needsClaimCheck(larger, roomy, 1_000_000)).toBe(false);
  });
});
