import { text } from 'node:stream/consumers';
import { DeleteMessageCommand, type ReceiveMessageCommandOutput, type SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { runCommand } from '../../../lib/cli/main.ts';
import { countMessages } from '../../../lib/cli/queue-count.ts';
import type { RedriveOptions } from '../../../lib/cli/redrive/options.ts';
import { redrive, regionOf } from '../../../lib/cli/redrive/redrive.ts';
import { startLoopbackServer } from '../../../lib/local/engines/loopback-server.ts';
import type { FailureFacts } from '../../../lib/messages/failures/failure-facts.ts';
import { commandIo, runOnEngines } from '../../support/command-io.ts';
import { createQueue, sqsClient } from '../../support/engines.ts';
import { ClientFaults, sqsError } from '../../support/faults.ts';
import { drain } from '../../support/queue.ts';
import { receiveMessages, type SentMessage, sendTo } from '../../support/received-records.ts';
import { startStackOutputs } from '../../support/stack-outputs-server.ts';

let sqs: SQSClient;
let toolSqs: SQSClient;
let faults: ClientFaults;
let errors: string;
let orders: string;

beforeEach(async () => {
  [sqs, toolSqs] = [sqsClient(), sqsClient()];
  faults = new ClientFaults(toolSqs);
  errors = await createQueue();
  orders = await createQueue();
});

const textAttribute = (StringValue: string) => ({ DataType: 'String', StringValue });

/** The error queue of a stack whose endpoints have these queues. */
const forwarded = (...queueUrls: readonly string[]) =>
  ({ kind: 'forwarded', stack: 'Shop', queueUrls }) as const;

/** Messages that SQS hands out from now on, as it has moved them from a queue to their dead letter queue. */
function movedBySqs(fromUrl: string): void {
  const DeadLetterQueueSourceArn = `arn:aws:sqs:us-east-1:000000000000:${fromUrl.split('/').at(-1)}`;
  faults.plan(
    'ReceiveMessage',
    async (_input, proceed) => {
      const { Messages = [], ...answer } = (await proceed()) as ReceiveMessageCommandOutput;
      const moved = Messages.map((message) => ({
        ...message,
        Attributes: { ...message.Attributes, DeadLetterQueueSourceArn },
      }));
      return { ...answer, Messages: moved };
    },
    1000,
  );
}

/** A message as an endpoint forwards it. */
async function fail(id: string, facts: Partial<FailureFacts> = {}, message: Partial<SentMessage> = {}) {
  const failure: FailureFacts = {
    endpoint: 'orders',
    queue: orders,
    failedAt: '2026-01-02T03:04:05.678Z',
    code: 'InvalidMessage',
    message: 'it is wrong',
    stack: '',
    receiveCount: 5,
    ...facts,
  };
  await sendTo(sqs, errors, {
    id,
    type: 'Placed',
    body: { id },
    ...message,
    attributes: { ...message.attributes, 'Sagabox.Failure': textAttribute(JSON.stringify(failure)) },
  });
}

/** Messages `m0`, `m1`, … @returns their ids */
async function failMany(count: number, facts: Partial<FailureFacts> = {}): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `m${index}`);
  for (const id of ids) await fail(id, facts);
  return ids;
}

/** By default of a stack with the endpoint that all came from. */
type Given = Partial<Omit<RedriveOptions, 'deployed'>> & {
  readonly json?: boolean;
  readonly deployed?: RedriveOptions['deployed'] | undefined;
};

async function run({ json = true, ...given }: Given = {}, signal?: AbortSignal) {
  const { io, out, err } = commandIo(signal);
  const { deployed, ...others } = { deployed: forwarded(orders), ...given };
  const options = { from: errors, ...others, ...(deployed && { deployed }) };
  const work = () => redrive(toolSqs, options, io, 0);
  const exitCode = await runCommand('redrive', work, json, io);
  const result = out[0]?.startsWith('{') ? JSON.parse(out[0]) : undefined;
  return { exitCode, out, err, result };
}

const idsIn = async (queueUrl: string) => (await drain(sqs, queueUrl)).map(({ id }) => id).sort();

describe('sagabox redrive', () => {
  it('moves messages back as they were before they failed, with the mark that they were moved', async () => {
    await fail('m1', { attributes: { tenant: { dataType: 'String', stringValue: 'a' } } });
    const { exitCode, result } = await run();
    expect(exitCode).toBe(0);
    expect(result).toEqual({
      from: errors,
      dryRun: false,
      moved: 1,
      leftOut: 0,
      failedMeanwhile: 0,
      failed: 0,
      notLookedAt: 0,
      interrupted: false,
      messages: [
        {
          messageId: 'm1',
          messageType: 'Placed',
          code: 'InvalidMessage',
          failedAt: '2026-01-02T03:04:05.678Z',
          to: orders,
        },
      ],
      failures: [],
    });
    const [message, ...others] = await receiveMessages(sqs, orders);
    const attributes = Object.keys(message?.MessageAttributes ?? {}).sort();
    expect(attributes).toEqual(['Sagabox.MessageId', 'Sagabox.MessageType', 'Sagabox.Redriven', 'tenant']);
    expect([message?.Body, message?.Attributes?.MessageGroupId, others]).toEqual([
      '{"id":"m1"}',
      undefined,
      [],
    ]);
    expect(message?.MessageAttributes?.['Sagabox.MessageId']?.StringValue).toBe('m1');
    expect(await idsIn(errors)).toEqual([]);
  });

  it('moves each to the queue that it came from, or all to one', async () => {
    const [billing, elsewhere] = [await createQueue(), await createQueue()];
    await fail('m1');
    await fail('m2', { queue: billing });
    await run({ deployed: forwarded(orders, billing) });
    expect([await idsIn(orders), await idsIn(billing)]).toEqual([['m1'], ['m2']]);

    await fail('m3');
    await fail('m4', { queue: billing });
    await run({ to: elsewhere });
    expect(await idsIn(elsewhere)).toEqual(['m3', 'm4']);
  });

  it('sends with the client of the region that the messages are moved to', async () => {
    await fail('m1');
    const sender = sqsClient();
    const sent: string[] = [];
    sender.middlewareStack.add((next, { commandName = '' }) => async (args) => {
      sent.push(commandName);
      return await next(args);
    });
    await redrive(toolSqs, { from: errors, to: orders }, commandIo().io, 0, sender);
    expect(sent).toEqual(['SendMessageCommand']);
    expect([await idsIn(errors), await idsIn(orders)]).toEqual([[], ['m1']]);
  });

  it('finds the queues of an endpoint in the outputs of its stack, and needs no other setting', async () => {
    await fail('m1');
    const environment = {
      SAGABOX_DESTINATIONS: 'ssm:/sagabox/Shop/Orders/SAGABOX_DESTINATIONS/0123456789ab#1',
    };
    const output = { sagaboxEndpoint: 'orders', queueUrl: orders, errorQueueUrl: errors, environment };
    const server = await startStackOutputs({ Shop: [[JSON.stringify(output)]] });
    const args = ['redrive', '--stack', 'Shop', '--endpoint', 'orders', '--json'];
    const { exitCode, out } = await runOnEngines(args, {
      AWS_ENDPOINT_URL_CLOUDFORMATION: server.endpoint,
      AWS_ENDPOINT_URL_SSM: 'http://127.0.0.1:1',
    });
    await server.stop();
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ from: errors, moved: 1, failed: 0 });
    expect(await idsIn(orders)).toEqual(['m1']);
  });

  it('moves more than a batch', async () => {
    const ids = await failMany(23);
    const { result, err } = await run();
    expect(result.moved).toBe(23);
    expect(err).toEqual([
      '10 moved, 0 left out, 0 failed',
      '20 moved, 0 left out, 0 failed',
      '23 moved, 0 left out, 0 failed',
    ]);
    expect(await idsIn(orders)).toEqual(ids.sort());
  });

  it('moves nothing in a dry run, and tells what it would', async () => {
    await fail('m1');
    await fail('m2', { code: 'TypeError' });
    const { exitCode, out } = await run({ dryRun: true, json: false, code: ['TypeError'] });
    expect(exitCode).toBe(0);
    expect(out).toEqual([
      `m2  Placed  TypeError  2026-01-02T03:04:05.678Z -> ${orders}`,
      '1 to move, 1 left out, 0 failed',
    ]);
    expect(await idsIn(orders)).toEqual([]);
    expect(await idsIn(errors)).toEqual(['m1', 'm2']);
  });

  it.each<[string, Partial<RedriveOptions>, string[]]>([
    ['code', { code: ['TypeError'] }, ['m2']],
    ['codes', { code: ['TypeError', 'Unrecoverable'] }, ['m2', 'm3']],
    ['type', { type: ['Shipped'] }, ['m3']],
    ['id', { id: ['m1', 'm3'] }, ['m1', 'm3']],
    ['saga that sent it', { correlationId: ['7'] }, ['m3']],
    ['saga whose header had no attribute of its own', { correlationId: ['8'] }, ['m2']],
    ['time', { since: new Date('2026-01-02T03:04:05.678Z') }, ['m1', 'm2']],
    ['time, a moment later', { since: new Date('2026-01-02T03:04:05.679Z') }, ['m2']],
    ['all of them', { code: ['TypeError'], type: ['Shipped'] }, []],
  ])(
    'moves only what its filters let through, by %s, and leaves the others to be seen at once',
    async (_case, filters, moved) => {
      await fail('m1', {}, { attributes: { 'Sagabox.Headers': textAttribute('damaged') } });
      // Of the others, what cannot be read tells no saga.
      await fail(
        'm2',
        { code: 'TypeError', failedAt: '2026-01-03T00:00:00.000Z' },
        { attributes: { 'Sagabox.Headers': textAttribute('{"Sagabox.CorrelationId":"8"}') } },
      );
      await fail(
        'm3',
        { code: 'Unrecoverable', failedAt: '2026-01-01T00:00:00.000Z' },
        { type: 'Shipped', attributes: { 'Sagabox.CorrelationId': textAttribute('7') } },
      );
      const { exitCode, result } = await run(filters);
      expect([exitCode, result.moved, result.leftOut]).toEqual([0, moved.length, 3 - moved.length]);
      expect(await idsIn(orders)).toEqual(moved);
      expect(await idsIn(errors)).toEqual(['m1', 'm2', 'm3'].filter((id) => !moved.includes(id)));
    },
  );

  it.each([1, 11])('moves at most %i, and hides nothing more', async (max) => {
    await failMany(12);
    expect((await run({ max })).result.moved).toBe(max);
    expect(await idsIn(orders)).toHaveLength(max);
    expect(await idsIn(errors)).toHaveLength(12 - max);
  });
});

describe('where a message goes', () => {
  // Nothing listens there.
  const foreign = 'http://127.0.0.1:1/000000000000/collector';
  const problemsOf = ({ failures }: { failures: readonly { problem: string }[] }) =>
    failures.map(({ problem }) => problem);

  it('is where SQS moved it from, whatever a header of its sender says, which it keeps', async () => {
    await fail('m1', {
      queue: foreign,
      code: 'Forged',
      failedAt: '2126-01-01T00:00:00.000Z',
      messageGroupId: 'g',
    });
    await fail('m2', { queue: foreign });
    movedBySqs(orders);
    const { exitCode, result } = await run({ deployed: undefined });
    expect([exitCode, result.failures]).toEqual([0, []]);
    expect(result.messages).toMatchObject([
      { messageId: 'm1', to: orders },
      { messageId: 'm2', to: orders },
    ]);
    expect(result.messages[0].code).toBeUndefined();
    expect(faults.operations.filter((operation) => operation === 'GetQueueUrl')).toHaveLength(1);
    const [message] = await receiveMessages(sqs, orders);
    expect(message?.MessageAttributes?.['Sagabox.Failure']?.StringValue).toContain(foreign);
    expect(message?.Attributes?.MessageGroupId).toBeUndefined();
  });

  it.each([
    ['another host', () => foreign],
    ['another queue of the account', () => `${errors}-other`],
    ['nothing', () => ''],
  ])('is no queue that a failure header names, such as %s, unless the stack has it', async (_case, queue) => {
    await fail('m1', { queue: queue() });
    const { exitCode, result } = await run();
    expect([exitCode, result.moved]).toEqual([1, 0]);
    expect(problemsOf(result)).toEqual([
      `Error: its failure header names '${queue()}', which is the queue of no endpoint of the stack 'Shop': ` +
        'name the stack of its endpoint, or pass --to',
    ]);
    expect(faults.operations).not.toContain('SendMessage');
    expect(await idsIn(errors)).toEqual(['m1']);
  });

  it('is the address of the stack, whatever host the header gives', async () => {
    await fail('m1', { queue: orders.replace(/^http:..[^/]*/, 'https://collector.example') });
    await fail('m2', { queue: `arn:aws:sqs:us-east-1:000000000000:${orders.split('/').at(-1)}` });
    expect((await run()).result).toMatchObject({ moved: 2, messages: [{ to: orders }, { to: orders }] });
    expect(await idsIn(orders)).toEqual(['m1', 'm2']);
  });

  it('is told by the header of no message without a stack', async () => {
    await fail('m1');
    const { exitCode, result } = await run({ deployed: undefined });
    expect([exitCode, problemsOf(result)]).toEqual([
      1,
      [
        `Error: its failure header names '${orders}', which a sender may have written: name its endpoint with ` +
          '--stack and --endpoint, or pass --to',
      ],
    ]);
    expect(await idsIn(errors)).toEqual(['m1']);
  });

  it("is the endpoint's queue for what its subscription could not deliver, whatever a header says", async () => {
    await fail('m1', { queue: foreign });
    await sendTo(sqs, errors, { id: 'm2', type: 'Placed', body: {} });
    const { result } = await run({ deployed: { kind: 'undelivered', queueUrl: orders } });
    expect(result).toMatchObject({ moved: 2, messages: [{ to: orders }, { to: orders }], failures: [] });
    expect(result.messages[0].code).toBeUndefined();
    expect(await idsIn(orders)).toEqual(['m1', 'm2']);
  });

  it.each([
    ['the time of its failure', { failedAt: 'then' }],
    ['its group', { messageGroupId: 7 as never }],
    ['its attributes', { attributes: { tenant: 7 as never } }],
  ])('is not known of a header that is damaged in %s, which stops no other message', async (_case, facts) => {
    await fail('m1', facts);
    await fail('m2');
    const { exitCode, result } = await run();
    expect([exitCode, result.moved]).toEqual([1, 1]);
    expect(problemsOf(result)).toEqual(['Error: nothing tells where it came from: pass --to']);
  });
});

describe('a dead letter queue', () => {
  const deadLetter = async (id: string | undefined) =>
    await sendTo(sqs, errors, { type: 'Placed', body: '{}', ...(id === undefined ? {} : { id }) });

  it('does not tell where its messages came from: they stay', async () => {
    await deadLetter('m1');
    const { exitCode, result } = await run();
    expect(exitCode).toBe(1);
    expect(result.failures).toMatchObject([
      { messageId: 'm1', problem: expect.stringContaining('pass --to') },
    ]);
    expect(await idsIn(errors)).toEqual(['m1']);
  });

  it('is emptied into a given queue; what had no id keeps the one by which it was known', async () => {
    await deadLetter('m1');
    const sqsId = await deadLetter(undefined);
    expect((await run({ to: orders })).exitCode).toBe(0);
    expect(await idsIn(orders)).toEqual(['m1', sqsId].sort());
  });

  it('is emptied with the ids by which events of another account are known', async () => {
    const sagabox = { 'Sagabox.MessageId': 'm1', 'Sagabox.ReplyTo': 'shop' };
    const event = {
      ...{
        version: '0',
        id: 'e1',
        'detail-type': 'Placed',
        source: 'sagabox.shop',
        time: '2026-01-02T03:04:05Z',
      },
      ...{ account: '222233334444', detail: { sagabox } },
    };
    await sendTo(sqs, errors, { body: event });
    expect((await run({ to: orders })).exitCode).toBe(0);
    expect(await idsIn(orders)).toEqual(['222233334444#sagabox.shop#m1']);
  });

  it('is filtered by when the messages were sent, and never by a code', async () => {
    await deadLetter('m1');
    expect((await run({ to: orders, code: ['TypeError'] })).result.leftOut).toBe(1);
    expect((await run({ to: orders, since: new Date(Date.now() + 3_600_000) })).result.leftOut).toBe(1);
    expect((await run({ to: orders, since: new Date(Date.now() - 3_600_000) })).result.moved).toBe(1);
  });
});

describe('a run that is interrupted', () => {
  it('by a signal ends after the message in hand, and hides nothing', async () => {
    await failMany(5);
    const interrupt = new AbortController();
    faults.plan('SendMessage', async (_input, proceed) => {
      interrupt.abort();
      return await proceed();
    });
    const { exitCode, result } = await run({}, interrupt.signal);
    expect([exitCode, result.moved, result.interrupted]).toEqual([1, 1, true]);
    expect(await idsIn(orders)).toHaveLength(1);
    expect(await idsIn(errors)).toHaveLength(4);
  });

  it.each(['SendMessage', 'DeleteMessage', 'ReceiveMessage'])(
    'at any call, such as %s, loses nothing',
    async (operation) => {
      await failMany(12);
      const from = operation === 'ReceiveMessage' ? 2 : 3;
      let calls = 0;
      // From this call on the tool reaches nothing any more, as if it had been killed.
      for (const each of ['SendMessage', 'DeleteMessage', 'ReceiveMessage', 'ChangeMessageVisibilityBatch']) {
        faults.plan(
          each,
          async (_input, proceed) => {
            if (each === operation) calls += 1;
            if (calls >= from) throw sqsError('Killed');
            return await proceed();
          },
          1000,
        );
      }
      expect((await run()).exitCode).toBe(1);
      faults.reset();

      const arrived = await idsIn(orders);
      expect(arrived.length).toBeGreaterThan(0);
      expect(new Set(arrived).size).toBe(arrived.length);
      // All that did not arrive is there still; at most the message in hand is there twice.
      const twice = operation === 'DeleteMessage' ? 1 : 0;
      expect(await countMessages(sqs, errors)).toBe(12 - arrived.length + twice);
    },
  );

  it('between sending and deleting leaves a copy with the same id', async () => {
    await fail('m1');
    faults.fail('DeleteMessage', sqsError('InvalidAddress'));
    expect((await run()).exitCode).toBe(1);
    expect((await run()).exitCode).toBe(0);
    expect(await idsIn(orders)).toEqual(['m1', 'm1']);
    expect(await idsIn(errors)).toEqual([]);
  });

  it('by a message that cannot be moved goes on with the others', async () => {
    const missing = `${orders}-which-is-not-there`;
    await fail('m1', { queue: missing });
    await fail('m2');
    await fail('m3', { queue: errors });
    const { exitCode, result } = await run({ deployed: forwarded(orders, missing, errors) });
    expect([exitCode, result.moved, result.failed]).toEqual([1, 1, 2]);
    expect(result.failures[1].problem).toContain('it came from this very queue');
    expect(await idsIn(orders)).toEqual(['m2']);
    expect(await idsIn(errors)).toEqual(['m1', 'm3']);
  });
});

describe('a run so long that what it left out is handed out again', () => {
  type Received = { Messages?: unknown[] };
  /** The first receive is answered by the queue; its first messages are the answer to the next ones. */
  function receiveAgain(messages: number, times: number): void {
    let first: Received = {};
    faults.plan('ReceiveMessage', async (_input, proceed) => {
      first = (await proceed()) as Received;
      return first;
    });
    faults.plan('ReceiveMessage', () => ({ ...first, Messages: first.Messages?.slice(0, messages) }), times);
  }
  const receives = () => faults.operations.filter((operation) => operation === 'ReceiveMessage').length;

  it.each(['None', 'InvalidMessage'])('looks at the others all the same, moving code %s', async (code) => {
    await failMany(10, { code: 'TypeError' });
    await fail('m10');
    await fail('m11');
    receiveAgain(5, 1);
    const { exitCode, result } = await run({ code: [code] });
    const moved = code === 'None' ? [] : ['m10', 'm11'];
    expect([exitCode, result.moved, result.leftOut, result.notLookedAt]).toEqual([
      0,
      moved.length,
      12 - moved.length,
      0,
    ]);
    expect(await idsIn(orders)).toEqual(moved);
    expect(await idsIn(errors)).toHaveLength(12 - moved.length);
  });

  it('ends once all that it left out came again', async () => {
    await failMany(10);
    receiveAgain(10, 1000);
    const { exitCode, result } = await run({ code: ['None'] });
    expect([exitCode, result.leftOut, receives()]).toEqual([0, 10, 2]);
    expect(await idsIn(errors)).toHaveLength(10);
  });

  it('ends when only some of it comes again and again', async () => {
    await failMany(10);
    receiveAgain(3, 1000);
    const { exitCode, result } = await run({ code: ['None'] });
    expect([exitCode, result.leftOut]).toEqual([0, 10]);
    expect(receives()).toBeLessThan(30);
  });

  it('goes on after one receive that is empty', async () => {
    await fail('m1');
    faults.plan('ReceiveMessage', () => ({ $metadata: {}, Messages: [] }));
    expect((await run()).result.moved).toBe(1);
  });

  it('moves a message that fails again and again only once', async () => {
    await fail('m1');
    faults.plan(
      'SendMessage',
      async (_input, proceed) => {
        await fail('m1');
        return await proceed();
      },
      1000,
    );
    const { exitCode, result } = await run();
    expect([exitCode, result.moved, result.leftOut]).toEqual([0, 1, 1]);
    expect(await idsIn(errors)).toEqual(['m1']);
  });

  // As the notice of a compensation that is declined each time that it is tried.
  it('leaves what fails since the run began, as what it moves may lead to another failure each time', async () => {
    await fail('m1');
    let failures = 1;
    faults.plan(
      'SendMessage',
      async (_input, proceed) => {
        failures += 1;
        await fail(`m${failures}`, { failedAt: new Date(Date.now() + 1).toISOString() });
        return await proceed();
      },
      1000,
    );
    const { exitCode, result } = await run();
    expect(exitCode).toBe(0);
    expect(result).toMatchObject({
      moved: 1,
      leftOut: 1,
      failedMeanwhile: 1,
      messages: [{ messageId: 'm1' }],
    });
    expect(await idsIn(errors)).toEqual(['m2']);
  });

  it('resumes a process once, also by a clock that is ahead', async () => {
    const notice = (id: string, process: string) =>
      fail(
        id,
        { code: 'CompensationFailed' },
        { attributes: { 'Sagabox.CorrelationId': textAttribute(process) } },
      );
    await notice('n1', '7');
    await notice('n2', '8');
    faults.plan(
      'SendMessage',
      async ({ MessageAttributes }, proceed) => {
        await notice(`again-${Math.random()}`, MessageAttributes['Sagabox.CorrelationId'].StringValue);
        return await proceed();
      },
      1000,
    );
    const { result } = await run();
    expect(result).toMatchObject({ moved: 2, leftOut: 2, failedMeanwhile: 2 });
    expect(await idsIn(orders)).toEqual(['n1', 'n2']);
  });

  it('tells people how many failed during the run', async () => {
    faults.plan('SendMessage', async (_input, proceed) => {
      await fail('m1', { failedAt: new Date(Date.now() + 1).toISOString() });
      return await proceed();
    });
    await fail('m0');
    const { out } = await run({ json: false });
    expect(out[0]).toMatch(/^1 moved, 1 left out \(1 failed during the run\), 0 failed/);
  });
});

it('signs for the region of each queue', async () => {
  await fail('m1');
  const regions = new Map<string, string>();
  const engine = process.env.SAGABOX_TEST_SQS_ENDPOINT ?? '';
  const proxy = await startLoopbackServer(async (request, response) => {
    const action = String(request.headers['x-amz-target']);
    // Of 'Credential=<key>/<date>/<region>/sqs/aws4_request'.
    regions.set(action.split('.')[1] ?? '', request.headers.authorization?.split('/')[2] ?? '');
    const body = (await text(request))
      .replace('https://sqs.eu-west-1.amazonaws.com/1/errors', errors)
      .replace('https://sqs.us-west-2.amazonaws.com/1/orders', orders);
    const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': action };
    const answer = await fetch(engine, { method: 'POST', headers, body });
    response.writeHead(answer.status).end(await answer.text());
  });
  const queues = ['--from', 'https://sqs.eu-west-1.amazonaws.com/1/errors'];
  queues.push('--to', 'https://sqs.us-west-2.amazonaws.com/1/orders');
  const { exitCode } = await runOnEngines(['redrive', ...queues], {
    AWS_ENDPOINT_URL_SQS: proxy.endpoint,
  });
  await proxy.stop();
  expect(exitCode).toBe(0);
  expect(Object.fromEntries(regions)).toMatchObject({
    ReceiveMessage: 'eu-west-1',
    DeleteMessage: 'eu-west-1',
    SendMessage: 'us-west-2',
  });
  expect(await idsIn(orders)).toEqual(['m1']);
});

it.each([
  ['https://sqs.eu-west-1.amazonaws.com/1/errors', 'eu-west-1'],
  ['https://sqs.cn-north-1.amazonaws.com.cn/1/errors', 'cn-north-1'],
  ['https://sqs.eu-west-1.api.aws/1/errors', 'eu-west-1'],
  ['https://vpce-0a1b-2c3d.sqs.eu-west-1.vpce.amazonaws.com/1/errors', 'eu-west-1'],
  ['https://eu-west-1.queue.amazonaws.com/1/errors', 'eu-west-1'],
  ['http://127.0.0.1:9324/queue/errors', undefined],
  ['https://sqs.eu-west-1.amazonaws.com.example.com/1/errors', undefined],
  ['no address', undefined],
])('the region of %s is %s', (url, region) => {
  expect(regionOf(url)).toBe(region);
});

describe('a failure in the middle', () => {
  const failThirdReceive = () => {
    faults.plan('ReceiveMessage', async (_input, proceed) => await proceed(), 2);
    faults.fail('ReceiveMessage', sqsError('AccessDenied'));
  };

  it.each([true, false])('is told together with the result so far, with --json %s', async (json) => {
    await failMany(23);
    failThirdReceive();
    const { exitCode, out, result } = await run({ json });
    expect(exitCode).toBe(1);
    if (json) expect(result).toMatchObject({ moved: 20, problem: expect.stringContaining('AccessDenied') });
    else expect(out).toEqual(['20 moved, 0 left out, 0 failed', expect.stringContaining('AccessDenied')]);
    expect(await idsIn(errors)).toHaveLength(3);
  });

  it('is told when what stays cannot be made visible again', async () => {
    await fail('m1');
    await fail('m2', { code: 'TypeError' });
    faults.fail('ChangeMessageVisibilityBatch', sqsError('AccessDenied'));
    const { exitCode, result } = await run({ code: ['TypeError'] });
    expect([exitCode, result.moved, result.leftOut]).toEqual([1, 1, 1]);
    expect(result.problem).toContain('after two minutes');
  });

  it('of asking for a URL is not remembered', async () => {
    await fail('m1');
    await fail('m2');
    movedBySqs(orders);
    faults.fail('GetQueueUrl', sqsError('AccessDenied'));
    const { exitCode, result } = await run();
    expect([exitCode, result.moved, result.failed]).toEqual([1, 1, 1]);
  });
});

describe('a FIFO error queue', () => {
  beforeEach(async () => {
    errors = await createQueue({ FifoQueue: 'true' });
    orders = await createQueue({ FifoQueue: 'true' });
  });

  it('gives each group back in order', async () => {
    for (const id of ['a1', 'b1', 'a2', 'b2', 'a3']) await fail(id, {}, { group: id.charAt(0) });
    expect((await run()).result.moved).toBe(5);
    const waiting = [];
    for (let receive = 0; receive < 3; receive += 1) {
      const messages = await receiveMessages(sqs, orders);
      for (const message of messages) {
        waiting.push(message.MessageAttributes?.['Sagabox.MessageId']?.StringValue ?? '');
        await acknowledgeMessage(message.ReceiptHandle ?? '');
      }
    }
    expect(waiting.filter((id) => id.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
    expect(waiting.filter((id) => id.startsWith('b'))).toEqual(['b1', 'b2']);
  });

  it('moves a message again that failed again, though its queue knows its copies', async () => {
    for (let time = 0; time < 2; time += 1) {
      await fail('m1', {}, { group: 'a' });
      expect((await run()).result.moved).toBe(1);
      const [message] = await receiveMessages(sqs, orders);
      expect(message?.MessageAttributes?.['Sagabox.MessageId']?.StringValue).toBe('m1');
      await acknowledgeMessage(message?.ReceiptHandle ?? '');
    }
  });

  it.each<[string, Partial<RedriveOptions>, string]>([
    ['a dry run', { dryRun: true }, 'without --dry-run'],
    ['a filter', { code: ['None'] }, 'without filters'],
  ])('tells how many %s did not look at, and why', async (_case, options, remedy) => {
    for (let index = 0; index < 13; index += 1) await fail(`a${index}`, {}, { group: 'a' });
    await fail('b1', {}, { group: 'b' });
    const { exitCode, result } = await run(options);
    // How many of a group SQS hands out together, up to ten, is its choice.
    const behind = 14 - result.moved - result.leftOut;
    expect(behind).toBeGreaterThanOrEqual(3);
    expect([exitCode, result.notLookedAt]).toEqual([1, behind]);
    expect(result.problem).toContain(
      `${behind} not looked at: SQS hands out no message behind one that stays`,
    );
    expect(result.problem).toContain(remedy);
    const { exitCode: again, out } = await run({ ...options, json: false });
    expect(again).toBe(1);
    expect(out.at(-2)).toContain(`, 0 failed, ${behind} not looked at`);
    expect(out.at(-1)).toContain(remedy);
    expect(await countMessages(sqs, errors)).toBe(14);
  });

  it('is looked at as a whole when nothing stays, or all that stays is in hand', async () => {
    for (let index = 0; index < 13; index += 1) await fail(`a${index}`, {}, { group: 'a' });
    expect((await run()).result).toMatchObject({ moved: 13, notLookedAt: 0 });
    await fail('b1', {}, { group: 'b' });
    expect(await run({ dryRun: true })).toMatchObject({ exitCode: 0, result: { moved: 1, notLookedAt: 0 } });
  });

  it('tells what another consumer hides', async () => {
    await fail('a1', {}, { group: 'a' });
    await receiveMessages(sqs, errors);
    const { exitCode, result } = await run();
    expect([exitCode, result.notLookedAt]).toEqual([1, 1]);
    expect(result.problem).toContain('after two minutes');
  });

  it('is not counted when --max ended the run', async () => {
    for (const id of ['a1', 'a2']) await fail(id, {}, { group: 'a' });
    const { exitCode, result } = await run({ max: 1 });
    expect([exitCode, result.moved, result.notLookedAt]).toEqual([0, 1, undefined]);
  });

  it('tells when it may not be counted', async () => {
    await fail('a1', {}, { group: 'a' });
    faults.fail('GetQueueAttributes', sqsError('AccessDenied'));
    const { exitCode, result } = await run();
    expect([exitCode, result.moved, result.notLookedAt]).toEqual([1, 1, undefined]);
    expect(result.problem).toContain('AccessDenied');
  });

  async function acknowledgeMessage(receiptHandle: string): Promise<void> {
    await sqs.send(new DeleteMessageCommand({ QueueUrl: orders, ReceiptHandle: receiptHandle }));
  }
});

it('a queue that is not there is told of', async () => {
  const { exitCode, err } = await run({ from: `${errors}-which-is-not-there` });
  expect(exitCode).toBe(1);
  expect(err.at(-1)).toContain('which-is-not-there');
});
