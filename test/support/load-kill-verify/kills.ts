import { interceptCalls, type SdkClient } from '../intercepted-calls.ts';
import type { Random } from '../random.ts';

/** A function that was killed: nothing more leaves it. */
class Killed extends Error {
  override readonly name = 'Killed';
}

/** What to say of functions of which fewer were killed than should be. */
export function killComplaints(killed: number, wanted: number): string[] {
  return killed < wanted ? [`only ${killed} functions were killed`] : [];
}

/** Kills functions at calls that a seed chooses, before a call is sent or after it took effect. */
export class Kills {
  readonly #limit: number;
  readonly #random: Random;
  #done = 0;

  constructor(limit: number, random: Random) {
    this.#limit = limit;
    this.#random = random;
  }

  get done(): number {
    return this.#done;
  }

  /**
   * Chooses the end of one function, whose clients these are.
   *
   * @returns whether it has been killed
   */
  hangOver(clients: readonly SdkClient[]): () => boolean {
    const lastCall = 1 + this.#random.below(12);
    const isBefore = this.#random.below(2) === 0;
    let calls = 0;
    let isDead = false;
    const failIfDead = () => {
      if (isDead) throw new Killed(`at call ${lastCall}`);
    };
    const kill = () => {
      if (this.#done === this.#limit) return;
      this.#done += 1;
      isDead = true;
      failIfDead();
    };
    for (const client of clients) {
      interceptCalls(client, 'call', async ({ operation, proceed }) => {
        failIfDead();
        // Most polls find nothing: who died there would have done no work.
        if (operation === 'ReceiveMessage') return await proceed();
        calls += 1;
        const isLast = calls === lastCall;
        if (isLast && isBefore) kill();
        const output = await proceed();
        if (isLast && !isBefore) kill();
        failIfDead();
        return output;
      });
    }
    return () => isDead;
  }
}
