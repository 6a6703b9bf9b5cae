import type { Random } from '../../support/random.ts';
import type { PlannedMessage } from './planned-message.ts';

/** So far apart that copies come to different workers at the same time. */
const nearby = { fewest: 5, most: 30 } as const;

/** Adds the second copies: half of them soon after the first, half anywhere later. */
export function deliveriesOf(
  messages: readonly PlannedMessage<object>[],
  random: Random,
): PlannedMessage<object>[] {
  const placed = messages.flatMap((message, place) => {
    if (message.duplicate !== 'sentTwice') return [{ message, place }];
    const isNear = random.below(2) === 0;
    const distance = isNear
      ? nearby.fewest + random.below(nearby.most - nearby.fewest)
      : random.below(messages.length);
    return [
      { message, place },
      { message, place: place + distance },
    ];
  });
  return placed.toSorted((one, other) => one.place - other.place).map(({ message }) => message);
}

/** So few that the next one of a list comes to another worker while the one before it is handled. */
const listsAtATime = 5;

/** The first of each of a few lists, then the second of each, and so on; then other lists. */
export function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  if (lists.length > listsAtATime) {
    return [...inTurns(lists.slice(0, listsAtATime)), ...inTurns(lists.slice(listsAtATime))];
  }
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) =>
    lists.flatMap((list) => list.slice(turn, turn + 1)),
  ).flat();
}

/** By Fisher and Yates. */
export function shuffled<T>(elements: readonly T[], random: Random): T[] {
  const order = [...elements];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = random.below(last + 1);
    [order[last], order[other]] = [order[other] as T, order[last] as T];
  }
  return order;
}
