import { describe, expect, it } from '@jest/globals';
import { utf8Bytes } from '../../lib/dynamodb/item-size.ts';
import { limits } from '../../lib/kernel/limits.ts';
import { parseDestinations } from '../../lib/messages/destinations/destination.ts';
import type { IncomingMessage, JsonValue, OutgoingMessage } from '../../lib/messages/message.ts';
import type { ClaimChecks } from '../../lib/sending/claim-check/claim-checks.ts';
import { sagaboxErrorOf } from '../support/error-of.ts';
import { received } from '../support/incoming-messages.ts';
import { numberedMessages, outgoingMessage } from '../support/outgoing-messages.ts';

export interface ClaimChecksSubject {
  /** The claim checks of an endpoint; all endpoints share the bodies. */
  claimChecks(endpoint: string): ClaimChecks;
  /** What is kept, by its key. */
  bodies(): Promise<Record<string, string>>;
  /** Changes what is kept, or removes it. */
  replace(key: string, body: string | undefined): Promise<void>;
}

/** Where the messages go, under the name that they have. */
export const destinations = parseDestinations({ billing: 'https://queues.test/billing' }, 'test');

/** Empty at first; bodies over the threshold are kept. */
export type OpenClaimChecks = (thresholdBytes: number) => Promise<ClaimChecksSubject>;

const threshold = 100;
const hex = '0123456789abcdef'.repeat(4);

/** A message whose body takes so many bytes as JSON. */
const messageOfSize = (bytes: number, overrides: Partial<OutgoingMessage> = {}) =>
  outgoingMessage({ body: 'x'.repeat(bytes - 2), ...overrides });

/** What every implementation of ClaimChecks does. */
export function describeClaimChecks(open: OpenClaimChecks): void {
  describe('a body that is stored in the bucket', () => {
    it('is one too that is under the threshold, when its destination would not take it', async () => {
      const { claimChecks } = await open(1_000_000);
      const fitting = await claimChecks('orders').store([messageOfSize(200_000)]);
      expect(fitting).toEqual([messageOfSize(200_000)]);
      const [stored] = await claimChecks('orders').store([messageOfSize(300_000)]);
      expect(stored).toMatchObject({ body: { bytes: 300_000 } });
    });

    it('is kept, and a small reference travels in its place', async () => {
      const { claimChecks, bodies } = await open(threshold);
      const message = outgoingMessage({ body: { text: 'ż'.repeat(100) }, headers: { trace: 'a' } });
      const [stored] = await claimChecks('orders').store([message]);
      const [[key = '', body] = []] = Object.entries(await bodies());
      expect(key).toMatch(/^claims\/orders\/out-1\/[0-9a-f]{64}\.json$/);
      expect(body).toBe(JSON.stringify(message.body));
      expect(stored).toEqual({
        ...message,
        body: {
          claimCheck: expect.stringMatching(`^s3://[^/]+/${key}$`),
          bytes: utf8Bytes(JSON.stringify(message.body)),
        },
        headers: { trace: 'a', 'Sagabox.ClaimCheck': key },
      });
    });

    it.each<[string, JsonValue]>([
      ['an object', { text: 'żółw 😀\u2028'.repeat(20), list: [1, null, { deep: true }] }],
      ['a text', 'x'.repeat(200)],
      ['a half of a surrogate pair', `${'x'.repeat(200)}\ud800`],
      ['an array', Array.from({ length: 100 }, (_, index) => index)],
      ['a __proto__ key', JSON.parse(`{ "__proto__": { "text": "${'x'.repeat(200)}" } }`)],
    ])('comes back to the receiver as it was: %s', async (_name, body) => {
      const { claimChecks } = await open(threshold);
      const [stored] = await claimChecks('orders').store([outgoingMessage({ body })]);
      const arrived = received(stored as OutgoingMessage);
      const loaded = await claimChecks('billing').load(arrived);
      expect(JSON.stringify(loaded.body)).toBe(JSON.stringify(body));
      expect(loaded).toEqual({ ...arrived, body: expect.anything() });
      expect(loaded.headers).toEqual(arrived.headers);
    });

    it('comes back by way of a CloudEvent too', async () => {
      const { claimChecks } = await open(threshold);
      const message = messageOfSize(300, { format: 'cloudevents' });
      const [stored] = await claimChecks('orders').store([message]);
      const loaded = await claimChecks('billing').load(received(stored as OutgoingMessage));
      expect(loaded).toMatchObject({ id: 'out-1', type: 'ChargeCard', body: message.body });
    });

    it.each(['or/ders', '..', 'a..b', 'żółw 100%', 'x'.repeat(600)])(
      'comes back from an endpoint named %j',
      async (endpoint) => {
        const { claimChecks, bodies } = await open(threshold);
        const [stored] = await claimChecks(endpoint).store([messageOfSize(300)]);
        const loaded = await claimChecks('billing').load(received(stored as OutgoingMessage));
        expect(loaded.body).toBe('x'.repeat(298));
        for (const key of Object.keys(await bodies())) expect(key.length).toBeLessThan(1024);
      },
    );

    it('is one that is larger than the threshold, in bytes', async () => {
      const { claimChecks, bodies } = await open(threshold);
      const messages = [
        messageOfSize(threshold, { id: 'a' }),
        messageOfSize(threshold + 1, { id: 'b' }),
        outgoingMessage({ id: 'c', body: 'ż'.repeat(threshold / 2 - 1) }),
        outgoingMessage({ id: 'd', body: 'ż'.repeat(threshold / 2) }),
        { id: 'e', cancels: 'f' },
      ];
      const stored = await claimChecks('orders').store(messages);
      expect(stored.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e']);
      expect([stored[0], stored[2], stored[4]]).toEqual([messages[0], messages[2], messages[4]]);
      const kept = Object.keys(await bodies()).map((key) => key.split('/')[2]);
      expect(kept.toSorted()).toEqual(['b', 'd']);
    });

    it('of each of many messages is kept', async () => {
      const { claimChecks, bodies } = await open(threshold);
      const messages = numberedMessages(20).map((message) => ({ ...message, body: message.id.repeat(50) }));
      const stored = await claimChecks('orders').store(messages);
      expect(Object.keys(await bodies())).toHaveLength(20);
      const loaded = await Promise.all(
        stored.map((message) => claimChecks('orders').load(received(message as OutgoingMessage))),
      );
      expect(loaded.map(({ body }) => body)).toEqual(messages.map(({ body }) => body));
    });

    it('twice is kept once, and another body of the same message beside it', async () => {
      const { claimChecks, bodies } = await open(threshold);
      const [first] = await claimChecks('orders').store([messageOfSize(300)]);
      const [again] = await claimChecks('orders').store([messageOfSize(300)]);
      expect(again).toEqual(first);
      expect(Object.keys(await bodies())).toHaveLength(1);
      // An attempt that is going to lose against the first one, with a body of its own.
      await claimChecks('orders').store([messageOfSize(301)]);
      expect(Object.keys(await bodies())).toHaveLength(2);
      const loaded = await claimChecks('orders').load(received(first as OutgoingMessage));
      expect(loaded.body).toBe('x'.repeat(298));
    });

    it('that could not be read back is refused before anything is kept', async () => {
      const { claimChecks, bodies } = await open(threshold);
      const messages = [messageOfSize(300), messageOfSize(limits.claimCheckBytes + 1, { id: 'out-2' })];
      const error = await sagaboxErrorOf(claimChecks('orders').store(messages));
      expect(error.code).toBe('InvalidOutgoingMessage');
      expect(error.message).toContain(`over the ${limits.claimCheckBytes}`);
      expect(await bodies()).toEqual({});
    });
  });

  describe('a claim check', () => {
    /** A message that names a body, and the key of the body. */
    async function stored(subject: ClaimChecksSubject): Promise<[IncomingMessage, string]> {
      const [message] = await subject.claimChecks('orders').store([messageOfSize(300)]);
      const incoming = received(message as OutgoingMessage);
      return [incoming, incoming.headers['Sagabox.ClaimCheck'] ?? ''];
    }

    it('that a message does not have leaves it as it is', async () => {
      const { claimChecks } = await open(threshold);
      const message = received(outgoingMessage());
      expect(await claimChecks('orders').load(message)).toBe(message);
    });

    it.each<[string, string | undefined]>([
      ['is gone', undefined],
      ['was replaced', '"another"'],
      ['was damaged', `"${'x'.repeat(297)}`],
      ['is empty', ''],
    ])('whose body %s is ClaimCheckNotFound', async (_name, body) => {
      const subject = await open(threshold);
      const [message, key] = await stored(subject);
      await subject.replace(key, body);
      const error = await sagaboxErrorOf(subject.claimChecks('orders').load(message));
      expect(error).toHaveProperty('code', 'ClaimCheckNotFound');
      expect(error.facts).toMatchObject({ messageId: 'out-1', key });
    });

    it('for what is no JSON is ClaimCheckNotFound', async () => {
      const subject = await open(threshold);
      const [message] = await stored(subject);
      const digest = '29ecbeb830e3244605e5a88493e4088424a71780e5cf59bb3475f278f294335b';
      const key = `claims/orders/out-1/${digest}.json`;
      await subject.replace(key, 'no JSON');
      const named = { ...message, headers: { ...message.headers, 'Sagabox.ClaimCheck': key } };
      const error = await sagaboxErrorOf(subject.claimChecks('orders').load(named));
      expect(error.code).toBe('ClaimCheckNotFound');
      expect(error.message).toContain('it is not JSON');
    });

    it.each([
      ['', 'nothing'],
      ['secret.json', 'no prefix'],
      [`secrets/orders/out-1/${hex}.json`, 'another prefix'],
      [`claims2/orders/out-1/${hex}.json`, 'a longer prefix'],
      [`/claims/orders/out-1/${hex}.json`, 'a slash in front'],
      [`claims/../orders/out-1/${hex}.json`, 'a way up'],
      [`claims/../out-1/${hex}.json`, 'a way up in place of the endpoint'],
      [`claims/orders/../${hex}.json`, 'a way up in place of the message'],
      [`claims/orders/out-1/../${hex}.json`, 'a way up at the end'],
      [`claims//out-1/${hex}.json`, 'an empty endpoint'],
      [`claims/orders/out-1/more/${hex}.json`, 'a segment more'],
      [`claims/orders/out-1/${hex}`, 'no ending'],
      [`claims/orders/out-1/${hex.toUpperCase()}.json`, 'capital letters'],
      [`claims/orders/out-1/${hex}.json\n`, 'a line break'],
      [`claims/orders/out\u00001/${hex}.json`, 'a control character'],
      [`claims/${'x'.repeat(1000)}/out-1/${hex}.json`, 'a key that is too long'],
    ])('with the key %j is refused unread: %s', async (key) => {
      const subject = await open(threshold);
      const [message] = await stored(subject);
      const named = { ...message, headers: { ...message.headers, 'Sagabox.ClaimCheck': key } };
      const error = await sagaboxErrorOf(subject.claimChecks('orders').load(named));
      expect(error.code).toBe('ClaimCheckNotFound');
      expect(error.facts).toEqual({ messageId: 'out-1', key, detail: 'sagabox makes no such keys' });
    });
  });
}
