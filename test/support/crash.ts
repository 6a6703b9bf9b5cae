/** What the crash tests need of a client of the SDK. */
interface InterceptedClient {
  readonly middlewareStack: {
    add(
      middleware: (
        next: (args: never) => Promise<unknown>,
        context: { commandName?: string },
      ) => (args: never) => Promise<unknown>,
      options: { step: 'initialize'; name: string },
    ): void;
  };
}

/** Where a function dies: at the `nth` call of a command, before it is sent or after it took effect. */
export interface Seam {
  readonly command: string;
  readonly when: 'before' | 'after';
  /** Counted from 1. */
  readonly nth: number;
}

/** From the seam on every call fails, as nothing more leaves a process that is dead. */
export function dieAt(clients: readonly InterceptedClient[], seam: Seam): void {
  let dead = false;
  let calls = 0;
  const die = () => {
    dead = true;
    throw new Error('the function died');
  };
  for (const client of clients) {
    client.middlewareStack.add(
      (next, context) => async (args) => {
        if (dead) die();
        const isSeam = context.commandName === seam.command && ++calls === seam.nth;
        if (isSeam && seam.when === 'before') die();
        const output = await next(args);
        if (isSeam || dead) die();
        return output;
      },
      { step: 'initialize', name: 'dieAt' },
    );
  }
}
