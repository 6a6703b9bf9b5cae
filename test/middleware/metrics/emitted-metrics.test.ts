import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import type { MessageLogger } from '../../../lib/core/handlers/handler-context.ts';
import { emittedMetrics } from '../../../lib/middleware/metrics/emitted-metrics.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { emfSums, readEmf } from '../../support/emf-documents.ts';
import { createTable } from '../../support/engines.ts';

const program = join(import.meta.dirname, 'invoke.ts');
const SAGABOX_METRICS_NAMESPACE = 'Shop/Messages';

interface Invocation {
  readonly special?: string;
  readonly variables?: Record<string, string>;
  readonly closesStdout?: boolean;
}

/** What a process wrote that handled one batch: stdout, and its answer. */
async function invoke({ special = '', variables = {}, closesStdout = false }: Invocation) {
  const endpoint = process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT ?? '';
  const args = ['--conditions=sagabox-source', program, endpoint, await createTable(), special];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...variables } });
  if (closesStdout) child.stdout.destroy();
  const closed = once(child, 'close');
  const [stdout, stderr] = await Promise.all([closesStdout ? '' : text(child.stdout), text(child.stderr)]);
  const [exitCode] = await closed;
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringMatching(/^\{.*\}$/) });
  const { returned, given } = JSON.parse(stderr);
  return { stdout, returned, given };
}

const linesOf = (stdout: string) => {
  expect(stdout.endsWith('\n')).toBe(true);
  return stdout.slice(0, -1).split('\n');
};

describe('an invocation', () => {
  it('writes nothing without a namespace', async () => {
    expect(await invoke({})).toEqual({ stdout: '', returned: 2, given: undefined });
  });

  it('writes one line of its metrics', async () => {
    const before = Date.now();
    const { stdout, returned } = await invoke({ variables: { SAGABOX_METRICS_NAMESPACE } });
    expect(returned).toBe(2);
    const lines = linesOf(stdout);
    expect(lines).toHaveLength(1);
    const { 'MessageDuration endpoint=orders': duration, ...counts } = emfSums(lines);
    expect(counts).toEqual({
      'MessagesHandled endpoint=orders': 2,
      'MessagesDuplicate endpoint=orders': 1,
      'MessagesFailed endpoint=orders': 3,
      'MessageRetries endpoint=orders': 1,
    });
    expect(duration).toBeGreaterThanOrEqual(0);
    const { timestamp, values } = readEmf(lines[0] ?? '');
    expect(values.filter(({ name }) => name === 'MessageDuration')).toHaveLength(6);
    expect(timestamp).toBeGreaterThanOrEqual(before);
    expect(timestamp).toBeLessThanOrEqual(Date.now());
    expect(lines[0]).toContain(`"Namespace":"${SAGABOX_METRICS_NAMESPACE}"`);
  });

  it('writes a line for each type that it handles, and one for all others, if it is to', async () => {
    const variables = { SAGABOX_METRICS_NAMESPACE, SAGABOX_METRICS_BY_MESSAGE_TYPE: 'true' };
    const { stdout } = await invoke({ variables });
    const lines = linesOf(stdout);
    expect(lines).toHaveLength(4);
    expect(emfSums(lines)).toMatchObject({
      'MessagesHandled endpoint=orders': 2,
      'MessagesHandled endpoint=orders messageType=Placed': 1,
      'MessagesHandled endpoint=orders messageType=Flaky': 1,
      'MessagesFailed endpoint=orders messageType=Flaky': 1,
      'MessagesFailed endpoint=orders messageType=Broken': 1,
      'MessagesFailed endpoint=orders messageType=unknown': 1,
      'MessagesDuplicate endpoint=orders': 1,
      'MessageRetries endpoint=orders': 1,
    });
  });

  it('gives its metrics to those of Powertools, if it has them, and writes none', async () => {
    const { stdout, given } = await invoke({
      special: 'metrics are given',
      variables: { SAGABOX_METRICS_NAMESPACE },
    });
    expect(stdout).toBe('');
    expect(given).toMatchObject({ MessagesHandled: [1, 1], MessagesDuplicate: 1, MessageRetries: 1 });
  });

  it.each<[string, Invocation]>([
    ['a stdout that throws', { special: 'stdout throws' }],
    ['a stdout that never answers', { special: 'stdout never answers' }],
    ['a stdout that is destroyed', { special: 'stdout is destroyed' }],
    ['a stdout that nobody reads', { closesStdout: true }],
  ])('has the same answer with %s', async (_name, invocation) => {
    const { returned } = await invoke({ ...invocation, variables: { SAGABOX_METRICS_NAMESPACE } });
    expect(returned).toBe(2);
  });
});

describe('the namespace', () => {
  it('that CloudWatch would refuse is told in the log, and fails nothing', () => {
    const warnings: string[] = [];
    const logger: MessageLogger = { ...silentLogger, warn: (line) => void warnings.push(line) };
    expect(emittedMetrics({ logger }, { SAGABOX_METRICS_NAMESPACE: 'AWS/Shop' })).toBeUndefined();
    expect(warnings).toEqual([expect.stringMatching(/SAGABOX_METRICS_NAMESPACE: .*'AWS\/'/)]);
  });

  it('that is empty is none', () => {
    expect(emittedMetrics({}, { SAGABOX_METRICS_NAMESPACE: '' })).toBeUndefined();
    expect(emittedMetrics({}, {})).toBeUndefined();
    expect(emittedMetrics({}, { SAGABOX_METRICS_NAMESPACE })).toBeInstanceOf(Function);
  });
});

it('two invocations at once do not mix', async () => {
  const start = emittedMetrics({}, { SAGABOX_METRICS_NAMESPACE });
  const [first, second] = [start?.('orders'), start?.('billing')];
  const written: string[] = [];
  const { write } = process.stdout;
  process.stdout.write = (line) => written.push(String(line)) > 0;
  try {
    first?.add('MessagesHandled', 'Count', 1);
    second?.add('MessagesHandled', 'Count', 2);
    first?.add('MessagesHandled', 'Count', 4);
    await Promise.all([second?.emit(), first?.emit()]);
  } finally {
    process.stdout.write = write;
  }
  expect(emfSums(written.map((line) => line.trimEnd()))).toEqual({
    'MessagesHandled endpoint=billing': 2,
    'MessagesHandled endpoint=orders': 5,
  });
});
