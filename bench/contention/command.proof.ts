import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { temporaryDirectory } from '../../test/support/temporary-directory.ts';
import { BenchProcess } from '../bench-process.ts';

const messages = 12;
const workers = 2;
const contention = new BenchProcess('contention.ts');
const inDirectory = temporaryDirectory();

async function figuresOf(mode: string) {
  const file = inDirectory(`${mode}.json`);
  const load = ['--messages', String(messages), '--workers', String(workers)];
  // The exit code depends on seconds too, which say little for such a small load beside other tests.
  const { stdout } = await contention
    .run('--mode', mode, ...load, '--json', file)
    .catch((error: { stdout: string }) => error);
  return { figures: JSON.parse(await readFile(file, 'utf8')), stdout };
}

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

describe('the contention benchmark', () => {
  it('applies every message once in optimistic mode, with fewer conflicts than a retry loop without jitter', async () => {
    const { figures, stdout } = await figuresOf('optimistic');
    const { optimistic: own, embedded, pessimistic, retryWithoutJitter: peer } = figures;
    expect(figures).toEqual({
      engine: expect.stringMatching(/\w/),
      optimistic: own,
      embedded: { ...allApplied, refusedLockAttempts: 0 },
      pessimistic: { ...allApplied, conflicts: 0 },
      retryWithoutJitter: peer,
      againstPessimistic: own.seconds / pessimistic.seconds,
    });
    expect(own).toEqual({ ...allApplied, refusedLockAttempts: 0 });
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
  }, 120_000);

  it('applies every message once in pessimistic mode, with fewer attempts than a blind spin', async () => {
    const { figures, stdout } = await figuresOf('pessimistic');
    const { pessimistic: own, blindSpin: peer } = figures;
    expect(figures).toEqual({ engine: expect.any(String), pessimistic: own, blindSpin: peer });
    expect(own).toEqual({ ...allApplied, conflicts: 0 });
    expect(own.refusedLockAttempts).toBeLessThan(peer.refusedLockAttempts);
    // Two for each record; for each group two for the saga, one for the attempt that succeeded, and those that did not.
    expect(own.wcuPerMessage).toBeGreaterThan(2);
    expect(own.wcuPerMessage).toBeLessThan(5);
    expect(own.refusedWcuPerMessage).toBeCloseTo(own.refusedLockAttempts / messages, 5);
    expect(peer.refusedWcuPerMessage).toBeGreaterThan(own.refusedWcuPerMessage);
    expect(stdout).toContain('blind spin');
  }, 120_000);
});
