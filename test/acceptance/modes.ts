import { createHandler, type Locking } from 'sagabox';
import { byMiddy, type Driver } from '../support/returned-ids.ts';

/** Every journey is told once, and run in each of these. */
export const modes: readonly { name: string; locking: Locking }[] = [
  { name: 'optimistic', locking: { mode: 'optimistic' } },
  { name: 'eventual', locking: { mode: 'optimistic', consistentRead: false } },
  {
    name: 'pessimistic',
    locking: {
      mode: 'pessimistic',
      minRefreshDelay: { milliseconds: 5 },
      maxRefreshDelay: { milliseconds: 20 },
    },
  },
];

/** The journeys of the line itself go through both of its drivers. */
export const drivenModes: readonly { name: string; locking: Locking; mode: string; driver: Driver }[] = [
  ...modes.map((mode) => ({ ...mode, name: `${mode.name} mode`, mode: mode.name, driver: createHandler })),
  ...modes.map((mode) => ({
    ...mode,
    name: `${mode.name} mode, by middy`,
    mode: mode.name,
    driver: byMiddy,
  })),
];
