import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import { defaultMapper, type StateMapper } from '../../../lib/saga/item/mapper.dynamodb.ts';
import { stateAttributes, storedState } from '../../../lib/saga/item/read-saga-item.dynamodb.ts';

type Attributes = Record<string, AttributeValue>;

const saga = { name: 'OrderSaga', id: '42' };

/** Keeps its state where nobody else looks. */
class Order {
  #isPaid: boolean;

  constructor(isPaid: boolean) {
    this.#isPaid = isPaid;
  }

  get isPaid(): boolean {
    return this.#isPaid;
  }

  pay(): void {
    this.#isPaid = true;
  }
}

/** A class of its own, so that a method that loses its object is noticed. */
class OrderMapper implements StateMapper {
  readonly #name = 'paid';

  toAttributes(state: unknown): Attributes {
    return { [this.#name]: { BOOL: (state as Order).isPaid } };
  }

  fromAttributes(attributes: Attributes): Order {
    return new Order(attributes[this.#name]?.BOOL === true);
  }
}

/** The attributes themselves are the state. */
const noMapper: StateMapper = {
  toAttributes: (state) => state as Attributes,
  fromAttributes: (attributes) => attributes,
};

describe('a stored state', () => {
  it('is the same when a mapper makes the same attributes of it, whatever JavaScript compares', () => {
    const stored = storedState({ paid: { BOOL: false } }, saga, new OrderMapper());
    const state = stored.readState() as Order;
    expect(stored.isSame(state)).toBe(true);
    state.pay();
    expect(stored.isSame(state)).toBe(false);
  });

  it.each([
    [{ total: 5 }, "toAttributes of the mapper: state.total is a number, without a type: use { N: '…' }"],
    [{ total: { N: 5 } }, 'state.total.N is a number'],
    [{ lines: { SS: [] } }, 'state.lines.SS is empty'],
    [undefined, 'state is undefined: give an object of attributes'],
  ])('is refused if a mapper makes %j of it', (attributes, problem) => {
    const mapper = { ...noMapper, toAttributes: () => attributes as never };
    expect(() => stateAttributes(mapper, { saga, state: {} })).toThrow(
      expect.objectContaining({ code: 'UnsupportedState', message: expect.stringContaining(problem) }),
    );
  });

  it('is a copy each time, also for a mapper that takes over the attributes', () => {
    const stored = storedState({ total: { N: '1' }, lines: { L: [{ S: 'a' }] } }, saga, noMapper);
    const state = stored.readState() as { total: AttributeValue; lines: { L: AttributeValue[] } };
    expect(stored.isSame(state)).toBe(true);
    state.lines.L.push({ S: 'b' });
    expect(stored.isSame(state)).toBe(false);
    expect(stored.readState()).toEqual({ total: { N: '1' }, lines: { L: [{ S: 'a' }] } });
  });

  it('is compared by the mapper where it says how', () => {
    const byTotal: StateMapper = {
      ...noMapper,
      isSame: (state, stored) => (state as Attributes).total?.N === (stored as Attributes).total?.N,
    };
    const stored = storedState({ total: { N: '1' }, at: { S: 'then' } }, saga, byTotal);
    expect(stored.isSame({ total: { N: '1' }, at: { S: 'now' } })).toBe(true);
    expect(stored.isSame({ total: { N: '2' }, at: { S: 'then' } })).toBe(false);
  });

  it('has other bytes each time, those of lists, maps and sets too', () => {
    const bytes = () => Uint8Array.of(1, 2);
    const whole = () => ({
      plain: bytes(),
      list: [bytes()],
      map: { inner: bytes() },
      set: new Set([bytes()]),
    });
    const stored = storedState(defaultMapper.toAttributes(whole()), saga, defaultMapper);
    const state = stored.readState() as ReturnType<typeof whole>;
    expect(stored.isSame(state)).toBe(true);
    for (const part of [state.plain, state.list[0], state.map.inner, ...state.set]) part?.fill(9);
    expect(stored.readState()).toStrictEqual(whole());
    expect(stored.isSame(state)).toBe(false);
  });
});
