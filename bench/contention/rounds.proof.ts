import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import { describe, expect, it } from '@jest/globals';
import { enginesOfTests } from '../../test/support/engines.ts';
import { type Clients, withClients } from '../../test/support/own-engines/clients.ts';
import { contenders } from './contenders.ts';
import { contentionOn } from './measure.ts';
import { runRound } from './round.ts';

const { signal } = new AbortController();
const aborted = AbortSignal.abort(new Error('enough'));

describe('a round of the contention benchmark', () => {
  const load = { messages: 3, workers: 1, ...contenders.optimistic };

  it.each(['is done', 'is interrupted'])('leaves no queue behind when it %s', async (end) => {
    await withClients(enginesOfTests(), async (clients) => {
      const running = runRound(enginesOfTests(), load, end === 'is done' ? signal : aborted);
      if (end === 'is done') expect(await running).toMatchObject({ messages: 3, applied: 3, conflicts: 0 });
      else await expect(running).rejects.toThrow('enough');
      expect(await queues(clients)).toEqual([]);
    });
  });

  it.each(Object.entries(contenders))('applies each message once: %s', async (_, contender) => {
    const figures = await runRound(enginesOfTests(), { ...load, ...contender }, signal);
    expect(figures).toMatchObject({ messages: 3, applied: 3, twice: 0, deadLettered: 0 });
  });

  it('meets conflicts with other transactions where it is told to, and each message is applied once', async () => {
    const figures = await runRound(enginesOfTests(), { ...load, conflicts: 50, messages: 20 }, signal);
    // The second of its two commits.
    expect(figures).toMatchObject({ applied: 20, twice: 0, deadLettered: 0, conflicts: 1 });
  });

  it.each([
    ['turnsWithoutLease', 'take turns'],
    ['jitterWithoutTurns', 'conflict'],
    ['retryWithoutJitter', 'conflict'],
  ] as const)('with %s lets the messages of a batch %s', async (name, what) => {
    const turns = what === 'take turns';
    const { conflicts } = await runRound(enginesOfTests(), { ...load, ...contenders[name] }, signal);
    if (turns) expect(conflicts).toBe(0);
    else expect(conflicts).toBeGreaterThan(0);
  });
});

it('ends the measurement of contention when it is interrupted', async () => {
  const depth = { messages: 1, workers: 1, warmUpMessages: 1, rounds: 1 };
  const run = { signal: aborted, progress: () => {} };
  await expect(contentionOn(enginesOfTests(), ['optimistic'], depth, run)).rejects.toThrow('enough');
});

async function queues({ sqsClient }: Clients): Promise<string[]> {
  const { QueueUrls = [] } = await sqsClient.send(new ListQueuesCommand({ QueueNamePrefix: 'contention-' }));
  return QueueUrls;
}
