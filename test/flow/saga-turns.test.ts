import { expect, it } from '@jest/globals';
import { SagaTurns } from '../../lib/flow/saga-turns.ts';

const settled = async () => await new Promise((resolve) => setImmediate(resolve));

it('gives one saga to one message at a time, in the order of asking, and other sagas meanwhile', async () => {
  const turns = new SagaTurns();
  const order: string[] = [];
  const take = async (name: string, key: string) => {
    const end = await turns.take(key);
    order.push(name);
    return end;
  };
  const first = take('first', 'a');
  const second = take('second', 'a');
  const third = take('third', 'a');
  const other = take('other', 'b');
  await settled();
  expect(order).toEqual(['first', 'other']);

  (await first)();
  await settled();
  expect(order).toEqual(['first', 'other', 'second']);

  (await second)();
  (await third)();
  (await other)();
  expect(order).toEqual(['first', 'other', 'second', 'third']);
});
