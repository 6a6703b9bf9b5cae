import { describe, expect, it } from '@jest/globals';
import { PendingTimeouts } from '../../lib/sending/pending-timeouts.ts';

const timeout = (id: string) => ({ id, type: 'Late', scheduled: true });
const [a, b, c] = [timeout('a'), timeout('b'), timeout('c')];

describe('the pending timeouts of a saga', () => {
  it('are unchanged until one is added or taken out', () => {
    expect(new PendingTimeouts().hasChanged).toBe(false);
    expect(new PendingTimeouts([a]).hasChanged).toBe(false);
  });

  it.each<[string, (timeouts: PendingTimeouts) => void, boolean, unknown[]]>([
    ['one more', (timeouts) => timeouts.add(c), true, [a, b, c]],
    ['one less', (timeouts) => void timeouts.remove(({ id }) => id === 'a'), true, [b]],
    ['none left', (timeouts) => void timeouts.remove(() => true), true, []],
    ['none that is meant', (timeouts) => void timeouts.remove(({ id }) => id === 'c'), false, [a, b]],
    [
      'another one in place of the last',
      (timeouts) => {
        timeouts.remove(({ id }) => id === 'b');
        timeouts.add(c);
      },
      true,
      [a, c],
    ],
    [
      'the last one taken out and added again',
      (timeouts) => {
        timeouts.remove(({ id }) => id === 'b');
        timeouts.add(b);
      },
      false,
      [a, b],
    ],
  ])('with %s', (_case, change, hasChanged, current) => {
    const timeouts = new PendingTimeouts([a, b]);
    change(timeouts);
    expect(timeouts.hasChanged).toBe(hasChanged);
    expect(timeouts.current).toEqual(current);
  });

  it('gives back what it takes out', () => {
    expect(new PendingTimeouts([a, b]).remove(({ id }) => id === 'b')).toEqual([b]);
  });
});
