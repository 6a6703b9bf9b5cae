import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { emfSums } from '../support/emf-documents.ts';
import { createTable } from '../support/engines.ts';
import { repository } from '../support/source-files.ts';
import { blocksOfPages } from './code-blocks.ts';

/** Invokes the handler of the page as Lambda does, twice, and writes its answers to stderr. */
const invocations = `
import { sqsRecord } from 'sagabox/testing';
const record = (id: string, body: object) => sqsRecord({ id, type: 'OrderPlaced', body });
const invoke = async (...Records: object[]) => {
  const context = { functionName: 'orders', memoryLimitInMB: '512', awsRequestId: 'request-1' };
  return await handler({ Records } as never, context as never);
};
const { batchItemFailures } = await invoke(record('m1', { orderId: '1', total: 5 }), record('m2', {}));
const error = await invoke(record('m3', {})).catch(({ code }) => code);
process.stderr.write(JSON.stringify([batchItemFailures.length, error]) + '\\n');
`;

const code = blocksOfPages().find(({ path }) => path === 'docs/guide/powertools.md')?.code ?? '';

/** Runs a program as Lambda runs a function whose invocations are traced. */
async function runTraced(program: string, daemonPort: number, tableName: string) {
  const args = ['--conditions=sagabox-source', '--input-type=module-typescript'];
  const env = {
    AWS_ENDPOINT_URL_DYNAMODB: process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: 'orders',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_XRAY_DAEMON_ADDRESS: `127.0.0.1:${daemonPort}`,
    LAMBDA_TASK_ROOT: repository,
    _HANDLER: 'index.handler',
    _X_AMZN_TRACE_ID: 'Root=1-67a1b2c3-0123456789abcdef01234567;Parent=0123456789abcdef;Sampled=1',
    SAGABOX_ENDPOINT: 'orders',
    SAGABOX_SAGA_TABLE: tableName,
    SAGABOX_OUTBOX_TABLE: tableName,
  };
  const child = spawn(process.execPath, args, { cwd: repository, env });
  child.stdin.end(program);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout: stdout.trimEnd().split('\n'), stderr: stderr.trimEnd().split('\n') };
}

describe('the composition of the page about Powertools', () => {
  let written: Awaited<ReturnType<typeof runTraced>>;
  const segments: Record<string, unknown>[] = [];

  beforeAll(async () => {
    const daemon = createSocket('udp4').bind(0, '127.0.0.1');
    const hasSegments = new Promise<void>((resolve) => {
      daemon.on('message', (packet) => {
        segments.push(JSON.parse(String(packet).split('\n')[1] ?? ''));
        if (segments.length === 2) resolve();
      });
    });
    await once(daemon, 'listening');
    try {
      const { port } = daemon.address() as AddressInfo;
      written = await runTraced(`${code}${invocations}`, port, await createTable());
      expect(JSON.parse(written.stderr.at(-1) ?? '')).toEqual([1, 'BatchFailed']);
      await hasSegments;
    } finally {
      daemon.close();
    }
  });

  const isEmf = (line: string) => line.includes('CloudWatchMetrics');
  const ofFunction = {
    service: 'orders',
    function_name: 'orders',
    function_request_id: 'request-1',
    xray_trace_id: '1-67a1b2c3-0123456789abcdef01234567',
  };
  const ofMessage = (messageId: string) => ({
    endpoint: 'orders',
    messageId,
    messageType: 'OrderPlaced',
    conversationId: messageId,
  });

  it('writes lines with the fields of the function, the message and its saga', () => {
    expect(written.stdout.filter((line) => !isEmf(line)).map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: 'INFO',
        message: 'An order was placed',
        ...ofFunction,
        ...ofMessage('m1'),
        sagaName: 'OrderSaga',
        sagaId: '1',
        total: 5,
      }),
    ]);
  });

  it('tells a failure once, by its code and facts', () => {
    const [failure] = written.stderr.map((line) => JSON.parse(line));
    expect(failure).toMatchObject({
      level: 'ERROR',
      message: 'A message failed and is returned to its queue without a delay of its own',
      ...ofFunction,
      ...ofMessage('m2'),
      code: 'InvalidMessage',
      facts: { issues: [expect.any(String), expect.any(String)] },
    });
    expect(failure.error).toEqual({ name: 'SagaboxError', message: expect.stringContaining('is invalid') });
  });

  it('writes the metrics of each invocation, also of one that throws, and of the cold start', () => {
    const lines = written.stdout.filter(isEmf);
    expect(lines).toHaveLength(3);
    expect(emfSums(lines)).toMatchObject({
      'ColdStart service=orders function_name=orders': 1,
      'MessagesHandled service=orders': 1,
      'MessagesFailed service=orders': 2,
    });
  });

  it('has a segment around each invocation, and the error of one that throws', () => {
    const segment = { name: '## index.handler', parent_id: '0123456789abcdef' };
    expect(segments).toEqual([
      expect.objectContaining({ ...segment, annotations: { ColdStart: true, Service: 'orders' } }),
      expect.objectContaining({ ...segment, cause: expect.anything() }),
    ]);
    const [first] = segments as [{ start_time: number; end_time: number }];
    const published = JSON.parse(written.stdout.filter(isEmf)[1] ?? '')._aws.Timestamp / 1000;
    expect(first.start_time).toBeLessThanOrEqual(published);
    expect(first.end_time).toBeGreaterThanOrEqual(published);
  });
});
