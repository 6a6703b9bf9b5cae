import { expect, it } from '@jest/globals';
import { SagaTurns } from '../../../lib/flow/batch/saga-turns.ts';

const settled = async () => await new Promise((resolve) => setImmediate(resolve));

function turnsInOrder() {
  const turns = new SagaTurns();
  const order: string[] = [];
  const take = (name: string, key: string) => {
    const { ahead, end } = turns.take(key);
    if (ahead === undefined) order.push(name);
    void ahead?.then(() => order.push(name));
    return end;
  };
  return { take, order };
}

it('gives one saga to one message at a time, in the order of asking, and other sagas meanwhile', async () => {
  const { take, order } = turnsInOrder();
  const endFirst = take('first', 'a');
  const endSecond = take('second', 'a');
  take('third', 'a');
  take('other', 'b');
  await settled();
  expect(order).toEqual(['first', 'other']);

  endFirst();
  await settled();
  expect(order).toEqual(['first', 'other', 'second']);

  endSecond();
  await settled();
  expect(order).toEqual(['first', 'other', 'second', 'third']);
});

it('passes a turn on when it comes, and not before, when its place was left', async () => {
  const { take, order } = turnsInOrder();
  const endFirst = take('first', 'a');
  const endSecond = take('second', 'a');
  take('third', 'a');
  endSecond();
  await settled();
  expect(order).toEqual(['first']);
  endFirst();
  await settled();
  expect(order).toEqual(['first', 'second', 'third']);
});
