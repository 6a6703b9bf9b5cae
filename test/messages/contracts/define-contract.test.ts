import { expect, it } from '@jest/globals';
import { type Contract, defineContract, defineHandlers, defineSaga, sagaOutbox } from 'sagabox';
import * as v from 'valibot';
import { refusalOf } from '../../support/error-of.ts';

const order = v.object({ orderId: v.string() });
const define = defineContract as (...parameters: unknown[]) => Contract;

it('holds the name, the messages and the replies', () => {
  const messages = { ChargeCard: order };
  const contract = defineContract('billing', messages, { replies: { CardCharged: order } });
  Object.assign(messages, { Added: order });

  expect(contract.name).toBe('billing');
  expect(contract.messages).toEqual({ ChargeCard: order });
  expect(contract.replies).toEqual({ CardCharged: order });
  expect(defineContract('shipping', { ShipOrder: order }).replies).toEqual({});
});

it.each<[string, unknown[], string, string]>([
  ['no name', ['', { A: order }], 'defineContract: name', '"" cannot be part of a key'],
  ['no messages', ['billing', {}], "defineContract 'billing': messages", 'no message type is given'],
  [
    'what is no schema',
    ['billing', { A: 1, B: order }],
    "defineContract 'billing': messages",
    'what is given for A is no Standard Schema',
  ],
  [
    'a reply that is no schema',
    ['billing', { A: order }, { replies: { B: 1 } }],
    "defineContract 'billing': replies",
    'what is given for B is no Standard Schema',
  ],
  [
    'replies that are a list',
    ['billing', { A: order }, { replies: [order] }],
    "defineContract 'billing': replies",
    '[',
  ],
  [
    'another setting',
    ['billing', { A: order }, { reply: {} }],
    "defineContract 'billing': reply",
    'there is no such setting',
  ],
])('refuses %s', (_case, parameters, setting, problem) => {
  const { code, facts } = refusalOf(() => define(...parameters));
  expect(code).toBe('Configuration');
  expect(facts).toMatchObject({ setting, problem: expect.stringContaining(problem) });
});

const first = defineContract('billing', { ChargeCard: order });
const second = defineContract('billing', { ChargeCard: v.object({}), CancelCharge: order });
const third = defineContract('audit', { ChargeCard: v.object({}) }, { replies: { CardCharged: order } });
const fourth = defineContract('ledger', { Book: order }, { replies: { CardCharged: v.object({}) } });
const rest = { messages: { Done: order }, handlers: { Done() {} } };

it.each([
  [{ sends: [first, second] }, 'sends', "the contracts 'billing' and 'billing' both claim the message type"],
  [
    { publishes: [first, third] },
    'publishes',
    "the contracts 'billing' and 'audit' both claim the message type",
  ],
  [{ replies: [third, fourth] }, 'replies', "the contracts 'audit' and 'ledger' both claim the message type"],
  [{ sends: 'billing' }, 'sends', 'it is not an array of contracts'],
  [{ publishes: [{ ChargeCard: order }] }, 'publishes', 'it is not an array of contracts'],
])('a list %o is refused by every definition', (listed, list, problem) => {
  const lists = listed as { sends: [] };
  const definitions = [
    () => defineHandlers({ ...rest, ...lists }),
    () =>
      defineSaga({
        ...rest,
        name: 'S',
        correlate: { Done: (body) => body.orderId },
        startedBy: ['Done'],
        initialState: () => ({}),
        ...lists,
      }),
    () => sagaOutbox(lists),
  ];
  for (const definition of definitions) {
    const { code, facts } = refusalOf(definition);
    expect(code).toBe('Configuration');
    expect(facts).toMatchObject({
      setting: expect.stringMatching(`: ${list}$`),
      problem: expect.stringContaining(problem),
    });
  }
});

it('takes one destination of several contracts, and one type to several destinations', () => {
  const other = defineContract('billing', { Refund: order });
  expect(() => defineHandlers({ ...rest, sends: [first, other, third, first] })).not.toThrow();
});
