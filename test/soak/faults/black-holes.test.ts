import { describe, expect, it } from '@jest/globals';
import { withBlackHoles } from './black-holes.ts';

/** Nobody listens there. */
const nowhere = 'http://127.0.0.1:1';

describe('black holes', () => {
  it('concern SQS, DynamoDB and both in turn, and end after their time or at the signal', async () => {
    const begun: string[] = [];
    const options = {
      engines: { dynamoDBEndpoint: nowhere, sqsEndpoint: nowhere },
      seed: 1,
      journalFile: '/dev/null',
      onBlackHole: (services: string) => begun.push(services),
      onSilence: () => {},
    };
    await withBlackHoles(options, async (blackHoles) => {
      const interrupt = new AbortController();
      expect(blackHoles.isOn).toBe(false);
      for (let count = 0; count < 3; count += 1) {
        const open = blackHoles.open(50, interrupt.signal);
        expect(blackHoles.isOn).toBe(true);
        await open;
        expect(blackHoles.isOn).toBe(false);
      }
      const open = blackHoles.open(60_000, interrupt.signal);
      interrupt.abort();
      await open;
      expect(blackHoles.isOn).toBe(false);
    });
    expect(begun).toEqual(['SQS', 'DynamoDB', 'SQS and DynamoDB', 'SQS']);
  });
});
