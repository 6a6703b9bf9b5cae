import { beforeEach, describe, expect, it } from '@jest/globals';
import { defineSaga } from 'sagabox';
import { z } from 'zod';
import { isCancellation } from '../../../lib/messages/message.ts';
import { complete } from '../../../lib/pipeline/complete.ts';
import { open } from '../../../lib/pipeline/open.ts';
import type { LoadCertainty } from '../../../lib/saga/saga-store.ts';
import { MemoryFlow } from '../../support/memory-flow.ts';

const schema = z.object({ id: z.string() });
const handled: string[] = [];
const saga = defineSaga({
  name: 'Order',
  messages: { Placed: schema, Paid: schema, TimedOut: schema },
  correlate: { Placed: ({ id }) => id, Paid: ({ id }) => id, TimedOut: ({ id }) => id },
  // A timeout of a saga that has ended must not start it again.
  startedBy: ['Placed', 'TimedOut'],
  initialState: () => ({}),
  handlers: {
    Placed: ({ body }, { requestTimeout }) => requestTimeout('TimedOut', body, { after: { hours: 2 } }),
    Paid: (_message, { cancelTimeout }) => cancelTimeout('TimedOut'),
    TimedOut: () => void handled.push('TimedOut'),
  },
});

let subject: MemoryFlow;
let notFound: string[];
let certainties: (LoadCertainty | undefined)[];

beforeEach(() => {
  [notFound, certainties] = [[], []];
  handled.length = 0;
  subject = new MemoryFlow({ saga });
  const { hooks, ports } = subject.flow;
  hooks.onSagaNotFound = ({ id }) => void notFound.push(id);
  const load = ports.sagas.load.bind(ports.sagas);
  ports.sagas.load = async (identity, meter, certainty) => {
    certainties.push(certainty);
    return await load(identity, meter, certainty);
  };
});

async function deliver(
  type: 'Placed' | 'Paid' | 'TimedOut',
  id: string,
  headers: Record<string, string> = {},
) {
  const { received, ...attempt } = subject.start(type, id);
  const transaction = await open({ ...attempt, received: { ...received, headers } });
  if (transaction === undefined) return;
  const { message, work, draft } = transaction;
  await saga.handler(message as never, { ...work.context, saga: draft?.saga } as never);
  await complete(transaction);
}

const fire = (id: string | undefined) => deliver('TimedOut', id ?? '', { 'Sagabox.Timeout': 'true' });
const outcome = () => subject.reports.at(-1)?.outcome;
const pending = () => [...subject.storage.sagas.values()].flatMap(({ timeouts }) => timeouts);

describe('a timeout of a saga', () => {
  it('that fires is handled, and waits no more', async () => {
    await deliver('Placed', 'm1');
    expect(pending()).toHaveLength(1);
    await fire(subject.dispatcher.sent[0]?.id);
    expect([outcome(), handled, pending()]).toEqual(['handled', ['TimedOut'], []]);
  });

  it('that was cancelled is taken back from its schedule, and discarded when it comes all the same', async () => {
    await deliver('Placed', 'm1');
    const [timeout] = subject.dispatcher.sent;
    await deliver('Paid', 'm2');
    expect(subject.dispatcher.cancelled).toEqual([timeout?.id]);
    await fire(timeout?.id);
    expect([outcome(), handled, notFound]).toEqual(['discarded', [], []]);
  });

  it('that was cancelled is scheduled again by a dispatch that is repeated, and discarded', async () => {
    const { outbox } = subject.flow.ports;
    const mark = outbox.markDispatched.bind(outbox);
    outbox.markDispatched = async () => {
      throw new Error('The function died between its dispatch and its mark');
    };
    await expect(deliver('Placed', 'm1')).rejects.toThrow('died');
    outbox.markDispatched = mark;
    const [timeout] = subject.dispatcher.sent;
    await deliver('Paid', 'm2');
    await deliver('Placed', 'm1');
    expect([outcome(), subject.dispatcher.cancelled]).toEqual(['redispatched', [timeout?.id]]);
    expect(subject.dispatcher.sent.map(({ id }) => id)).toEqual([timeout?.id, timeout?.id]);
    await fire(timeout?.id);
    expect([outcome(), handled, notFound]).toEqual(['discarded', [], []]);
  });

  it('of a saga that has ended is discarded, and starts none in its place', async () => {
    await deliver('Placed', 'm1');
    const [timeout] = subject.dispatcher.sent;
    subject.storage.sagas.clear();
    await fire(timeout?.id);
    expect([outcome(), handled, subject.storage.sagas.size]).toEqual(['discarded', [], 0]);
  });

  it('of an earlier saga with the same id is discarded', async () => {
    await deliver('Placed', 'm1');
    const [timeout] = subject.dispatcher.sent;
    subject.storage.sagas.clear();
    await deliver('Placed', 'm3');
    await fire(timeout?.id);
    expect([outcome(), handled]).toEqual(['discarded', []]);
    expect(pending()).toHaveLength(1);
  });

  it('is looked up in a saga that is certainly the latest', async () => {
    await deliver('Placed', 'm1');
    await fire(subject.dispatcher.sent[0]?.id);
    expect(certainties).toEqual(['none', 'all']);
  });

  it.each([
    ['Placed', 'none'],
    ['Paid', 'absence'],
  ] as const)('is looked up more certainly than others need to be: %s, %s', async (type, certainty) => {
    await deliver(type, 'm1');
    expect(certainties).toEqual([certainty]);
  });

  it('that is delivered twice is handled once', async () => {
    await deliver('Placed', 'm1');
    await fire(subject.dispatcher.sent[0]?.id);
    await fire(subject.dispatcher.sent[0]?.id);
    expect([outcome(), handled]).toEqual(['duplicate', ['TimedOut']]);
  });

  it.each([
    ['another saga', { id: '8' }, "would reach the saga with id '8'"],
    ['no saga', {}, 'could not be handled'],
  ])('that would come to %s is refused before the commit', async (_to, body, detail) => {
    const transaction = await subject.open('Placed', 'm1');
    transaction.work.context.requestTimeout('TimedOut', body, { after: { hours: 1 } });
    await expect(complete(transaction)).rejects.toThrow(detail);
    expect([subject.storage.sagas.size, subject.storage.records.size]).toEqual([0, 0]);
  });

  it('from elsewhere, without the mark of a timeout, is a message like any other', async () => {
    await deliver('TimedOut', 'm9');
    expect([outcome(), handled]).toEqual(['handled', ['TimedOut']]);
  });
});

describe('the completion of a saga', () => {
  it('takes back the timeouts that wait in schedules, with its own commit', async () => {
    await deliver('Placed', 'm1');
    const transaction = await subject.open('Paid', 'm2');
    transaction.draft?.saga.complete();
    await complete(transaction);
    const [stored] = [...subject.storage.records.values()].slice(-1);
    expect(subject.storage.sagas.size).toBe(0);
    expect(subject.dispatcher.cancelled).toEqual([subject.dispatcher.sent[0]?.id]);
    expect(stored?.dispatched).toBe(true);
    expect(transaction.work.operations.every(isCancellation)).toBe(true);
  });
});
