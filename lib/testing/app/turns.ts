import type { Ports } from '../../attempt/ports.ts';
import type { Contributions } from '../../saga/contributions.ts';

// Taken when the module loads: a test runner's fake timers replace it later.
const { nextTick } = process;

/** The calls of deliveries that run side by side: each waits until it is its turn. */
export class Turns {
  #waiting: (() => void)[] = [];
  #arrival = Promise.withResolvers<void>();

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when a call waits that did not wait before. */
  get arrival(): Promise<void> {
    return this.#arrival.promise;
  }

  take(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    this.#arrival.resolve();
    return promise;
  }

  /** Lets one of the waiting calls go on. */
  give(index: number): void {
    const [go] = this.#waiting.splice(index, 1);
    this.#arrival = Promise.withResolvers<void>();
    go?.();
  }
}

/** Until all that can go on without a turn has gone on: ticks come behind all microtasks. */
export function settled(): Promise<void> {
  return new Promise((resolve) => nextTick(resolve));
}

/** Ports of which each call waits for its turn, and takes effect at once then. */
export function inTurns(ports: Ports, turns: Turns): Ports {
  const waiting =
    <Parameters extends unknown[], Result>(call: (...parameters: Parameters) => Promise<Result>) =>
    async (...parameters: Parameters): Promise<Result> => {
      await turns.take();
      return await call(...parameters);
    };
  const { sagas, embedded, outbox, contributions, requestLeases, committer, dispatcher, claimChecks, clock } =
    ports;
  return {
    sagas: { load: waiting(sagas.load.bind(sagas)) },
    ...(embedded && {
      embedded: {
        newSalt: () => embedded.newSalt(),
        find: waiting(embedded.find.bind(embedded)),
        saveProgress: waiting(embedded.saveProgress.bind(embedded)),
        markDispatched: waiting(embedded.markDispatched.bind(embedded)),
      },
    }),
    outbox: {
      find: waiting(outbox.find.bind(outbox)),
      saveProgress: waiting(outbox.saveProgress.bind(outbox)),
      markDispatched: waiting(outbox.markDispatched.bind(outbox)),
    },
    ...(contributions && { contributions: contributionsInTurns(contributions, turns) }),
    ...(requestLeases && {
      requestLeases: {
        tryAcquire: waiting(requestLeases.tryAcquire.bind(requestLeases)),
        release: waiting(requestLeases.release.bind(requestLeases)),
      },
    }),
    committer: {
      snapshot: (write) => committer.snapshot(write),
      readSnapshot: (kept) => committer.readSnapshot(kept),
      commit: waiting(committer.commit.bind(committer)),
    },
    dispatcher: { dispatch: waiting(dispatcher.dispatch.bind(dispatcher)) },
    ...(claimChecks && {
      claimChecks: {
        store: waiting(claimChecks.store.bind(claimChecks)),
        load: waiting(claimChecks.load.bind(claimChecks)),
      },
    }),
    clock: { now: () => clock.now(), sleep: waiting(clock.sleep.bind(clock)) },
  };
}

function contributionsInTurns(contributions: Contributions, turns: Turns): Contributions {
  return {
    async *find(...parameters) {
      await turns.take();
      yield* contributions.find(...parameters);
    },
  };
}
