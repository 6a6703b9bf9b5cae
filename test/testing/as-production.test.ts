import { describe, expect, it } from '@jest/globals';
import { defineHandlers } from 'sagabox';
import { testApp, testHandlers } from 'sagabox/testing';
import { z } from 'zod';
import { refusalOf, sagaboxErrorOf } from '../support/error-of.ts';

const anything = defineHandlers({
  messages: { Note: z.any() },
  handlers: {
    Note({ body }, { publish }) {
      if (body.publishes) publish('Noted', { text: 'x'.repeat(body.publishes) });
    },
  },
});

const size = (length: number) => ({ text: 'x'.repeat(length) });
const refusedBodies = [
  ['over 1 MiB', size(1024 * 1024), {}],
  ['with a Map', { map: new Map() }, {}],
  ['with NaN', { n: Number.NaN }, {}],
  ['with an empty attribute', {}, { headers: { empty: '' } }],
  ['with a control character', {}, { headers: { text: '\u0000' } }],
  ['with eleven attributes', {}, { headers: Object.fromEntries([...'abcdefg'].map((name) => [name, name])) }],
] as const;

describe('a message that a test sends', () => {
  it.each(refusedBodies)('%s is refused, as no sender gets it into a queue', async (_of, body, options) => {
    const test = testHandlers(anything);
    expect((await sagaboxErrorOf(test.deliver('Note', body, options))).code).toBe('InvalidOutgoingMessage');
    const app = testApp([{ endpoint: 'notes', handles: anything, subscribesTo: ['events'] }]);
    expect(refusalOf(() => app.send('notes', 'Note', body, options)).code).toBe('InvalidOutgoingMessage');
    expect(refusalOf(() => app.publish('events', 'Note', body, options)).code).toBe('InvalidOutgoingMessage');
    expect(await app.deliverAll()).toEqual([]);
  });

  it('of just 1 MiB with its attributes is taken', async () => {
    const test = testHandlers(anything);
    const { facts } = await sagaboxErrorOf(test.deliver('Note', size(1024 * 1024)));
    const over = Number(/takes (\d+)/.exec(JSON.stringify(facts))?.[1]) - 1024 * 1024;
    // The ids of messages have one length.
    expect((await test.deliver('Note', size(1024 * 1024 - over))).outcome).toBe('handled');
  });

  it('with options that do not exist is refused', async () => {
    const wrong = { messageId: 'm1' } as never;
    expect((await sagaboxErrorOf(testHandlers(anything).deliver('Note', {}, wrong))).code).toBe(
      'Configuration',
    );
    const app = testApp([{ endpoint: 'notes', handles: anything, subscribesTo: ['events'] }]);
    expect(refusalOf(() => app.send('notes', 'Note', {}, wrong)).code).toBe('Configuration');
    expect(refusalOf(() => app.publish('events', 'Note', {}, { delay: { seconds: 1 } } as never)).code).toBe(
      'Configuration',
    );
  });
});

it('what is published is refused over the 256 KiB of a topic, in each kind of test', async () => {
  const body = { publishes: 300 * 1024 };
  expect((await sagaboxErrorOf(testHandlers(anything).deliver('Note', body))).code).toBe(
    'InvalidOutgoingMessage',
  );
  const app = testApp([{ endpoint: 'notes', handles: anything }], { throwOnFailure: false });
  app.send('notes', 'Note', body);
  await app.deliverAll();
  expect(app.endpoint('notes').errorQueue[0]?.failure.code).toBe('InvalidOutgoingMessage');
});

describe('a FIFO queue of an app', () => {
  it('takes no delay of one message, and no standard topic', () => {
    const app = testApp([{ endpoint: 'notes', handles: anything, fifo: true }]);
    const send = () => app.send('notes', 'Note', {}, { delay: { seconds: 1 } });
    expect(refusalOf(send).message).toMatch(/FIFO queue takes no message with a delay/);
    const subscribed = {
      endpoint: 'notes',
      handles: anything,
      fifo: true,
      subscribesTo: ['events'],
    } as const;
    expect(refusalOf(() => testApp([subscribed])).message).toMatch(/standard topic events/);
    expect(() => testApp([subscribed], { eventBuses: ['events'] })).not.toThrow();
  });

  it('has the group of an event, and a standard queue that of its message', async () => {
    const groups: unknown[] = [];
    const noting = defineHandlers({
      messages: { Note: z.any() },
      handlers: { Note: ({ record }) => void groups.push(record.attributes.MessageGroupId) },
    });
    const app = testApp(
      [
        { endpoint: 'fifo', handles: noting, fifo: true, subscribesTo: ['events'] },
        { endpoint: 'standard', handles: noting },
      ],
      { eventBuses: ['events'] },
    );
    app.publish('events', 'Note', {});
    app.send('standard', 'Note', {}, { messageGroupId: 'tenant' });
    await app.deliverAll();
    expect(groups).toEqual(['events', 'tenant']);
  });
});

it('the id that an event bus gives is not that of the message, and a duplicate is told as one', async () => {
  const ids: string[] = [];
  const publisher = defineHandlers({
    messages: { Begin: z.object({}) },
    handlers: { Begin: (_message, { publish }) => publish('Note', {}) },
  });
  const noting = defineHandlers({
    messages: { Note: z.any() },
    handlers: {
      Note: ({ id, record }) => void ids.push(id, JSON.parse(record.body).id),
    },
  });
  const app = testApp(
    [
      { endpoint: 'publisher', handles: publisher },
      { endpoint: 'notes', handles: noting, subscribesTo: ['events'] },
    ],
    { eventBuses: ['events'] },
  );
  app.send('publisher', 'Begin', {});
  await app.deliverAll();
  const [message] = app.endpoint('publisher').outgoing;
  expect(ids).toEqual([message?.id, 'event-1']);
  app.redeliver('notes');
  expect(await app.deliverAll()).toMatchObject([{ outcome: 'duplicate', messageId: message?.id }]);
});

it('a duplicate whose id `parse` makes is told as one', async () => {
  const parse = () => ({ id: 'made', type: 'Note', body: {} });
  const app = testApp([{ endpoint: 'notes', handles: anything, parse }]);
  app.send('notes', 'Note', {});
  app.send('notes', 'Note', {});
  expect((await app.deliverAll()).map(({ outcome }) => outcome)).toEqual(['handled', 'duplicate']);
});
