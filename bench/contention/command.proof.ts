import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { temporaryDirectory } from '../../test/support/temporary-directory.ts';
import { BenchProcess } from '../bench-process.ts';

const messages = 12;
const contention = new BenchProcess('contention.ts');
const inDirectory = temporaryDirectory();

const allApplied = {
  messages,
  applied: messages,
  twice: 0,
  deadLettered: 0,
  conflicts: expect.any(Number),
  refusedLockAttempts: expect.any(Number),
  rcuPerMessage: expect.any(Number),
  wcuPerMessage: expect.any(Number),
  refusedWcuPerMessage: expect.any(Number),
  callsPerMessage: expect.any(Number),
  seconds: expect.any(Number),
};

it('npm run contention applies every message once, with fewer conflicts than a retry loop without jitter', async () => {
  const file = inDirectory('figures.json');
  // The exit code depends on seconds too, which say little for such a small load beside other tests.
  const { stdout } = await contention
    .run('--mode', 'optimistic', '--messages', String(messages), '--workers', '2', '--json', file)
    .catch((error: { stdout: string }) => error);
  const figures = JSON.parse(await readFile(file, 'utf8'));
  const { optimistic: own, embedded, pessimistic, retryWithoutJitter: peer } = figures;
  expect(figures).toEqual({
    engine: expect.stringMatching(/\w/),
    // A crowd takes leases.
    optimistic: allApplied,
    embedded: { ...allApplied, refusedLockAttempts: 0 },
    pessimistic: { ...allApplied, conflicts: 0 },
    retryWithoutJitter: peer,
    againstPessimistic: own.seconds / pessimistic.seconds,
  });
  // Two for the saga and two for the record, and as much again for each conflict.
  expect(peer.wcuPerMessage).toBe(4);
  expect(peer.refusedWcuPerMessage).toBeCloseTo((4 * peer.conflicts) / messages, 5);
  // Two for each record, and two for the saga of each group.
  expect(own.wcuPerMessage).toBeGreaterThan(2);
  expect(own.wcuPerMessage).toBeLessThan(4);
  // One for the saga of each group.
  expect(embedded.wcuPerMessage).toBeLessThanOrEqual(1);
  expect(peer.conflicts).toBeGreaterThan(own.conflicts);
  expect(stdout).toContain('plain retry loop');
  expect(stdout).toContain('OK');
});
