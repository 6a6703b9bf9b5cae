import { interceptCalls, type SdkClient } from './intercepted-calls.ts';

/** Where a function dies: at the `nth` call of an operation, before it is sent or after it took effect. */
export interface Seam {
  /** For example 'PutItem'. */
  readonly operation: string;
  readonly when: 'before' | 'after';
  /** Counted from 1. */
  readonly nth: number;
}

/** From the seam on every call fails, as nothing more leaves a process that is dead. */
export function dieAt(clients: readonly SdkClient[], seam: Seam): void {
  let dead = false;
  let calls = 0;
  const die = () => {
    dead = true;
    throw new Error('the function died');
  };
  for (const client of clients) {
    interceptCalls(client, 'call', async ({ operation, proceed }) => {
      if (dead) die();
      const isSeam = operation === seam.operation && ++calls === seam.nth;
      if (isSeam && seam.when === 'before') die();
      const output = await proceed();
      if (isSeam || dead) die();
      return output;
    });
  }
}
