import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, expect, it } from '@jest/globals';
import { startLoopbackServer } from '../../../lib/local/engines/loopback-server.ts';
import { createQueue, createTable } from '../../support/engines.ts';
import { repository } from '../../support/source-files.ts';
import { waitUntil } from '../../support/wait-until.ts';

const release: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of release.splice(0)) await end();
});

interface Segment {
  readonly name: string;
  readonly id: string;
  readonly trace_id: string;
  readonly parent_id: string;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly aws?: { readonly operation?: string };
}

/** The daemon that X-Ray's SDK sends segments to. */
async function startDaemon() {
  const segments: Segment[] = [];
  const socket = createSocket('udp4', (datagram) => {
    segments.push(JSON.parse(datagram.toString().split('\n')[1] ?? ''));
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  release.push(() => socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, segments };
}

/** The engine of SQS, with the headers of its requests. */
async function startSqs() {
  const headers: IncomingHttpHeaders[] = [];
  const { endpoint, stop } = await startLoopbackServer(async (request, response) => {
    headers.push(request.headers);
    const { 'x-amz-target': target = '', 'content-type': type = '' } = request.headers;
    const answer = await fetch(process.env.SAGABOX_TEST_SQS_ENDPOINT ?? '', {
      method: 'POST',
      headers: { 'x-amz-target': String(target), 'content-type': type, authorization: 'local' },
      body: new Uint8Array(await buffer(request)),
    });
    response.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
  });
  release.push(stop);
  return { endpoint, headers };
}

it('the Tracer of Powertools traces a batch, and its trace goes on through the queues', async () => {
  const [daemon, sqs, tableName, queueUrl] = await Promise.all([
    startDaemon(),
    startSqs(),
    createTable(),
    createQueue(),
  ]);
  const root = '1-5759e988-bd862e3fe1be46a994272793';
  const lineage = 'Lineage=1:a87bd80c:3';
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--conditions=sagabox-source', join(import.meta.dirname, 'invoke.ts')],
    {
      env: {
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        AWS_REGION: 'us-east-1',
        AWS_ENDPOINT_URL_DYNAMODB: process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT,
        AWS_LAMBDA_FUNCTION_NAME: 'orders',
        AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
        LAMBDA_TASK_ROOT: import.meta.dirname,
        _HANDLER: 'orders.handler',
        _X_AMZN_TRACE_ID: `Root=${root};Parent=53995c3f42cd8ad8;Sampled=1;${lineage}`,
        AWS_XRAY_DAEMON_ADDRESS: daemon.address,
        SAGABOX_ENDPOINT: 'orders',
        SAGABOX_OUTBOX_TABLE: tableName,
        AWS_ENDPOINT_URL_SQS: sqs.endpoint,
        SAGABOX_DESTINATIONS: JSON.stringify({ billing: `${sqs.endpoint}${new URL(queueUrl).pathname}` }),
      },
    },
  );
  expect(stderr).toBe('{"batchItemFailures":[]}');
  const [logged, ofMetrics] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(logged).toMatchObject({ message: 'An order was placed', orderId: '7', xray_trace_id: root });
  expect(ofMetrics).toMatchObject({ service: 'orders', MessagesHandled: 1 });

  // Segments are sent as they end: this one is the last.
  const isLast = ({ name }: Segment) => name === '## orders.handler';
  await waitUntil(() => daemon.segments.some(isLast));
  const handled = daemon.segments.find(isLast);
  expect(handled).toMatchObject({
    trace_id: root,
    parent_id: '53995c3f42cd8ad8',
    annotations: { orderId: '7' },
  });
  const calls = daemon.segments.filter((segment) => !isLast(segment));
  expect(calls.map(({ aws }) => aws?.operation)).toEqual([
    'BatchGetItem',
    'PutItem',
    'SendMessageBatch',
    'BatchWriteItem',
  ]);
  for (const { parent_id: parent, trace_id: trace } of calls)
    expect([parent, trace]).toEqual([handled?.id, root]);
  expect(sqs.headers.map((headers) => headers['x-amzn-trace-id'])).toEqual([
    `Root=${root};Parent=${calls[2]?.id};Sampled=1;${lineage}`,
  ]);
});

it('examples/observability/run.ts writes logs and metrics of Powertools, and spans of OpenTelemetry', async () => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--conditions=sagabox-source', 'examples/observability/run.ts'],
    { cwd: repository, env: { ...process.env, AWS_LAMBDA_FUNCTION_NAME: undefined } },
  );
  expect(stderr).toBe('');
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"'));
  const written = lines.map((line) => JSON.parse(line));
  expect(
    written.map(({ message, service, MessagesHandled }) => message ?? [service, MessagesHandled]),
  ).toEqual(['An order was placed', ['orders', 1], 'A card was charged', ['billing', 1]]);
  const spans = [...stdout.matchAll(/^ {2}name: '(.*)',$/gm)].map(([, name]) => name);
  expect(spans).toEqual(['commit', 'create receipts', 'send receipts', 'process billing']);
  const traces = new Set([...stdout.matchAll(/^ {2}traceId: '(.*)',$/gm)].map(([, id]) => id));
  expect(traces.size).toBe(1);
  expect(stdout).toContain("'order.id': '7'");
});
