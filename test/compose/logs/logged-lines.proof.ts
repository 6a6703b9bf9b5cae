import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { emfSums } from '../../support/emf-documents.ts';
import { repository } from '../../support/source-files.ts';

let folder: string;
let bundled: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sagabox-logs-'));
  bundled = join(folder, 'index.mjs');
  // As the constructs bundle a function, but with the SDK: there is none in this folder.
  await build({
    entryPoints: [join(import.meta.dirname, 'function.ts')],
    outfile: bundled,
    bundle: true,
    minify: true,
    keepNames: true,
    sourcemap: true,
    sourcesContent: false,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    conditions: ['sagabox-source'],
    mainFields: ['module', 'main'],
    banner: { js: "const require = (await import('node:module')).createRequire(import.meta.url);" },
  });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** What the function wrote that handled one batch, and what it says of its errors. */
async function invoke(variables: Record<string, string>) {
  const env = { NODE_OPTIONS: '--enable-source-maps', AWS_REGION: 'eu-west-1', ...variables };
  const child = spawn(process.execPath, [bundled], { env });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { lines: stdout.trimEnd().split('\n'), stderr };
}

describe('a function with JSON logs', () => {
  let logged: Record<string, unknown>[];
  let emitted: string[];
  let stderr: string;

  beforeAll(async () => {
    const json = { AWS_LAMBDA_LOG_FORMAT: 'JSON', AWS_LAMBDA_LOG_LEVEL: 'INFO' };
    const written = await invoke({ ...json, SAGABOX_METRICS_NAMESPACE: 'Shop' });
    emitted = written.lines.filter((line) => line.includes('CloudWatchMetrics'));
    logged = written.lines.filter((line) => !emitted.includes(line)).map((line) => JSON.parse(line));
    stderr = written.stderr;
  });

  const head = { timestamp: expect.stringMatching(/^\d{4}-.*Z$/), requestId: 'request-1' };
  const messageFacts = (messageId: string, messageType: string) => ({
    endpoint: 'orders',
    messageId,
    messageType,
    conversationId: messageId,
  });
  const returned = (messageId: string, messageType: string) => ({
    ...head,
    level: 'ERROR',
    message: 'A message failed and is returned to its queue without a delay of its own',
    sqsMessageId: expect.any(String),
    ...messageFacts(messageId, messageType),
  });
  const place = (name: string) =>
    expect.stringMatching(
      new RegExp(`^    at ${name} \\(${repository}/test/compose/logs/function\\.ts:\\d+:\\d+\\)\n`),
    );

  it('writes what a handler tells, from its level on, whatever it holds', () => {
    expect(logged[0]).toEqual({
      ...head,
      level: 'INFO',
      message: 'placed',
      ...messageFacts('m0', 'Placed'),
      order: '7',
      total: '12',
      at: '1970-01-01T00:00:00.000Z',
      facts: { message: 'of the caller' },
    });
    expect(logged).toHaveLength(5);
  });

  it('shows the place of a bug in the sources, and that of its cause', () => {
    expect(logged[1]).toEqual({
      ...returned('m1', 'Broken'),
      code: 'TypeError',
      error: {
        name: 'TypeError',
        message: 'a bug',
        stack: place('Broken'),
        cause: { name: 'RangeError', message: 'its reason', stack: place('Broken') },
      },
    });
  });

  it('tells an expected failure by its code and facts, each once and without a stack', () => {
    expect(logged[2]).toEqual({
      ...returned('m2', 'Locked'),
      sagaName: 'Order',
      sagaId: '7',
      code: 'LockTimeout',
      facts: { attempts: 3, waitedMs: 100 },
      error: { name: 'SagaboxError', message: expect.stringMatching(/^The 'Order' saga with id '7' stayed/) },
    });
    expect(logged[3]).toEqual({
      ...returned('m3', 'Stolen'),
      code: 'Unrecoverable',
      error: { name: 'UnrecoverableError', message: 'The card was stolen' },
    });
    expect(logged[4]).toEqual({
      ...returned('m4', 'Placed'),
      code: 'InvalidMessage',
      facts: { issues: [expect.stringMatching(/^id: /)] },
      error: {
        name: 'SagaboxError',
        message: expect.stringMatching(/^Message 'm4' of type 'Placed' is invalid/),
      },
    });
  });

  it('writes its metrics beside them, as ever', () => {
    expect(emitted).toHaveLength(1);
    expect(emfSums(emitted)).toMatchObject({
      'MessagesHandled endpoint=orders': 1,
      'MessagesFailed endpoint=orders': 4,
    });
  });

  it('has errors with their names and codes, though it is minified, and does not use its console', () => {
    expect(JSON.parse(stderr)).toEqual({
      isKnown: true,
      name: 'SagaboxError',
      code: 'InvalidEvent',
      type: 'SagaboxError',
      head: expect.stringMatching(/^SagaboxError: The event holds no SQS records/),
    });
  });
});

it('a function with text logs writes readable lines to its console', async () => {
  const { lines, stderr } = await invoke({});
  expect(lines.join('\n')).toMatch(/^not told \{ .*\}\nplaced \{ endpoint: 'orders', .*total: '12'.*\}$/);
  expect(stderr.split('\n').slice(0, 3)).toEqual([
    expect.stringMatching(
      /^A message failed and is returned to its queue without a delay of its own \{ .*messageId: 'm1'.*code: 'TypeError' \}$/,
    ),
    'TypeError: a bug',
    expect.stringMatching(/^ {4}at Broken \(.*function\.ts:\d+:\d+\)$/),
  ]);
  expect(stderr).toContain('\n[cause] RangeError: its reason\n    at ');
});
