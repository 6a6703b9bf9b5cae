import type { Behaviour } from '../../../examples/booking/contracts.ts';
import type { Random } from '../random.ts';

export interface Trip {
  readonly tripId: string;
  readonly flight: Behaviour;
  readonly hotel: Behaviour;
  readonly car: Behaviour;
}

/** Of each way in which a trip can end, one: the first is to be resumed by an operator. */
const firstOnes: readonly Omit<Trip, 'tripId'>[] = [
  { flight: 'books', hotel: 'does not cancel at first', car: 'declines' },
  { flight: 'books', hotel: 'books', car: 'books' },
  { flight: 'books', hotel: 'books', car: 'does not answer' },
  { flight: 'books', hotel: 'fails', car: 'books' },
];

const behaviours = [
  ...(['books', 'books', 'books', 'declines', 'does not answer', 'fails'] as const),
  'does not cancel at first',
] as const;

export function tripsOf(count: number, random: Random): Trip[] {
  return Array.from({ length: count }, (_, index) => {
    const first = firstOnes[index];
    const drawn = () => random.pick(behaviours);
    return { tripId: `trip-${index}`, ...(first ?? { flight: drawn(), hotel: drawn(), car: drawn() }) };
  });
}
