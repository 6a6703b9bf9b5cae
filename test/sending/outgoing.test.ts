import { describe, expect, it } from '@jest/globals';
import { eventBytes } from '../../lib/messages/wire-format/event-detail.ts';
import { hasSqsCharacters } from '../../lib/messages/wire-format/sqs-characters.ts';
import { wireAttributes, wireBody, wireBytes } from '../../lib/messages/wire-format/wire.ts';
import type { SendOptions } from '../../lib/sending/unit-of-work-context.ts';
import { lastOf, refusalOf, refuses, unitOfWork } from './unit-of-work-of.ts';

const MEBIBYTE = 1024 * 1024;

function send(destination: string, body: unknown, options?: SendOptions, type = 'ChargeCard') {
  const work = unitOfWork();
  work.context.send(destination, type, body, options);
  return lastOf(work);
}

describe('the size of a message', () => {
  const headers = { tenant: 'é' };
  const bodyOf = (bytes: number) => {
    const rest = wireBytes(send('billing', '', { headers }));
    return 'x'.repeat(bytes - rest);
  };

  it('is that of its body and of the name, type and value of each attribute, in UTF-8', () => {
    const { id } = send('billing', 'é', { headers });
    const attributes = {
      tenant: 'é',
      'Sagabox.MessageId': id,
      'Sagabox.MessageType': 'ChargeCard',
      'Sagabox.ConversationId': 'in-1',
      'Sagabox.CausationId': 'in-1',
      'Sagabox.ReplyTo': 'orders',
      'Sagabox.SentAt': '2026-01-02T03:04:05.678Z',
    };
    const parts = Object.entries(attributes).flatMap(([name, value]) => [name, 'String', value]);
    const bytes = Buffer.byteLength([...parts, '"é"'].join(''));
    expect(wireBytes(send('billing', 'é', { headers }))).toBe(bytes);
  });

  it('counts bytes, not characters', () => {
    const text = bodyOf(MEBIBYTE);
    expect(() => send('billing', text.replace(/xx/, 'é'), { headers })).not.toThrow();
    refuses(() => send('billing', text.replace(/x/, 'é'), { headers }), '1048577 bytes');
  });

  it('counts what JSON makes of a body', () => {
    refuses(() => send('billing', '"'.repeat(600_000)), 'bytes, over the');
  });
});

describe('the attributes of a message', () => {
  const headersOf = (count: number) => {
    return Object.fromEntries(Array.from({ length: count }, (_, index) => [`header-${index}`, 'a']));
  };

  it('are ten at most, six of them of sagabox, each by itself', () => {
    const attributes = wireAttributes(send('billing', {}, { headers: headersOf(4) }));
    expect(Object.keys(attributes)).toHaveLength(10);
    expect(attributes).not.toHaveProperty(['Sagabox.Headers']);
  });

  it('of the user may not be eight', () => {
    refuses(() => send('billing', {}, { headers: headersOf(8) }), '11 attributes');
  });

  it.each([...'tenant a.b-c_d A 0 _ - awsome amazonas sagabox.id __proto__'.split(' '), 'x'.repeat(256)])(
    'may be named %j',
    (name) => {
      const headers = JSON.parse(JSON.stringify({ name: 'a' }).replace('"name"', JSON.stringify(name)));
      expect(Object.entries(send('billing', {}, { headers }).headers)).toContainEqual([name, 'a']);
    },
  );

  it.each([
    ...['', 'x'.repeat(257), 'a b', 'a\n'],
    ...'.a a. a..b abc..d größe a/b aws.a AWS.a Amazon.a amazon.A'.split(' '),
  ])('may not be named %j', (name) => {
    refuses(() => send('billing', {}, { headers: { [name]: 'a' } }), 'SQS takes no attribute named');
  });

  it.each(['Sagabox.MessageId', 'Sagabox.ReplyTo', 'Sagabox.Own', 'Sagabox.'])(
    'of sagabox stay its own: %s',
    (name) => {
      refuses(() => send('billing', {}, { headers: { [name]: 'a' } }), `rename '${name}'`);
    },
  );

  it.each([
    ['an empty string', ''],
    ['a number', 7],
    ['null', null],
    ['nothing', undefined],
  ])('hold no %s', (_case, value) => {
    refuses(() => send('billing', {}, { headers: { tenant: value as string } }), "'tenant'");
  });

  it('are no numbers, and tell how to filter by these', () => {
    const headers = { amount: 7 } as never;
    refuses(
      () => send('billing', {}, { headers }),
      "the value of 'amount' is a number, and headers are strings",
    );
    refuses(() => send('billing', {}, { headers }), 'publish on an event bus');
  });

  it('name a type', () => {
    refuses(() => send('billing', {}, {}, ''), 'type is empty');
  });
});

describe('the characters of a message', () => {
  const taken = [...'\t\n\r \u{7f}\u{80}\ud7ff\ue000\ufffd\u{10000}\u{10ffff}'];
  // The halves of surrogate pairs in an order that makes none.
  const refused = [...'\u0000\u0001\u0008\u000b\u000c\u001f\ufffe\uffff\udc00\ud800'];

  it.each(taken)('%j is taken in a header, a type and a body', (character) => {
    const text = `a${character}b`;
    expect(() => send('billing', { text }, { headers: { text } }, text)).not.toThrow();
  });

  it.each(refused)('%j is refused in a header', (character) => {
    refuses(
      () => send('billing', {}, { headers: { text: `a${character}b` } }),
      /headers\.text has U\+[0-9A-F]{4} at index 1, which SQS does not take: leave it out, encode it/,
    );
  });

  it.each(refused)('%j is refused in a type', (character) => {
    refuses(
      () => send('billing', {}, {}, `a${character}b`),
      /its type has U\+[0-9A-F]{4} at index 1, which SQS/,
    );
  });

  // JSON writes control characters and lone surrogates as escapes, which are plain text.
  it.each(refused)('%j is taken in a body, escaped, as value and as name', (character) => {
    for (const format of ['plain', 'cloudevents'] as const) {
      const body = { text: character, [character]: 1 };
      const json = wireBody(send('billing', body, { format }));
      expect(hasSqsCharacters(json)).toBe(true);
      expect(JSON.parse(json)).toMatchObject(format === 'plain' ? body : { data: body });
    }
  });

  it('are refused in the name of a group', () => {
    refuses(
      () => send('ledger', {}, { messageGroupId: 'a\uffff' }),
      'its \'messageGroupId\' is "a\uffff": use 1 to 128 ASCII letters, digits and punctuation marks',
    );
  });
});

describe('a body that is not JSON', () => {
  it.each([
    ['nothing', undefined, 'its body is undefined'],
    ['a part that JSON would change', { lines: [{ count: Number.NaN }] }, ': body.lines[0].count is NaN'],
  ])('is refused: %s', (_case, body, detail) => {
    refuses(() => send('billing', body), detail);
  });

  it.each([[null], [0], [''], [false], [[]], [{}]])('%j is JSON', (body) => {
    expect(send('billing', body).body).toEqual(body);
  });
});

describe('a message to a FIFO queue', () => {
  it('has a group', () => {
    expect(send('ledger', {}, { messageGroupId: 'a' }).messageGroupId).toBe('a');
    refuses(() => send('ledger', {}), "pass 'messageGroupId'");
  });

  it.each(['', 'x'.repeat(129), 'a b', 'ä', 'a\n'])('refuses the group %j', (messageGroupId) => {
    refuses(() => send('ledger', {}, { messageGroupId }), "'messageGroupId'");
  });

  it('is not the only one with a group: fair queues take one too', () => {
    expect(send('billing', {}, { messageGroupId: 'tenant-a' }).messageGroupId).toBe('tenant-a');
  });
});

describe('what is no string', () => {
  it.each([Symbol('type'), 5, undefined, Object.create(null)])(
    'is refused as a type or destination: %p',
    (value) => {
      const { context } = unitOfWork();
      refuses(() => context.send('billing', value as string, {}), 'have to be strings');
      refuses(() => context.send(value as string, 'ChargeCard', {}), 'have to be strings');
      refuses(() => context.publish(value as string, {}), 'have to be strings');
    },
  );
});

it('keeps a header of the name __proto__ when others are folded', () => {
  const names = ['__proto__', 'a', 'b', 'c', 'd', 'e', 'f'];
  const headers = Object.fromEntries(names.map((name) => [name, 'kept']));
  expect(Object.keys(wireAttributes(send('billing', {}, { headers })))).toEqual(
    expect.arrayContaining(names),
  );
});

it('takes null for no options', () => {
  expect(send('billing', {}, null as never)).toEqual(send('billing', {}));
});

it('refuses an option that there is not, and takes one that is undefined for none', () => {
  const misspelt = { dellay: { minutes: 5 } } as never;
  refuses(() => send('billing', {}, misspelt), "it has no option 'dellay' (known: ");
  const { context } = unitOfWork();
  const timeout = { after: { minutes: 5 }, delay: { minutes: 5 } } as never;
  refuses(() => context.requestTimeout('Reminder', {}, timeout), "it has no option 'delay' (known: after)");
  expect(send('billing', {}, { dellay: undefined } as never)).toEqual(send('billing', {}));
});

describe('options that cannot be read', () => {
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  const throwing = {
    get: () => {
      throw new Error('trap');
    },
  };

  it.each([
    ['themselves', () => new Proxy({}, throwing)],
    ['in their headers', () => ({ headers: revoked })],
    ['in their group', () => ({ messageGroupId: revoked })],
    ['in their format', () => ({ format: revoked })],
    ['in their delay', () => ({ delay: revoked })],
  ])('%s are refused', (_place, options) => {
    refuses(() => send('billing', {}, options() as never), 'its options cannot be read');
  });

  it('are refused of a timeout too', () => {
    const { context } = unitOfWork();
    const request = (options: object) => () => context.requestTimeout('Reminder', {}, options as never);
    refuses(request(new Proxy({}, throwing)), 'its options cannot be read (trap)');
    refuses(request({ after: revoked }), 'its options cannot be read');
  });
});

it.each([7n, { toJSON: () => Symbol('format') }])('refuses a format without JSON: %p', (format) => {
  refuses(() => send('billing', {}, { format } as never), `its format is "a value of type ${typeof format}"`);
});

it('tells of what it refuses: its type, its destination and its cause', () => {
  const cause = new TypeError('no luck');
  const toJSON = () => {
    throw cause;
  };
  const error = refusalOf(() => send('billing', { toJSON }));
  expect(error.facts).toMatchObject({ messageType: 'ChargeCard', destination: 'billing' });
  expect(error.cause).toBe(cause);
});

it('has the size that EventBridge counts where it is an event: its headers are in it', () => {
  const textOf = (bytes: number) => ({ text: 'x'.repeat(bytes) });
  const ownBytes = eventBytes(send('bus', textOf(0)), 'sagabox.orders');
  expect(send('bus', textOf(MEBIBYTE - ownBytes)).destination).toBe('bus');
  refuses(() => send('bus', textOf(MEBIBYTE - ownBytes + 1)), 'of EventBridge');
});
