/** What an interception needs of a client of the AWS SDK. */
export interface SdkClient {
  readonly middlewareStack: {
    add(
      middleware: (
        next: (args: never) => Promise<unknown>,
        context: { commandName?: string },
      ) => (args: never) => Promise<unknown>,
      options: { step: 'initialize'; name: string; priority: 'low' },
    ): void;
  };
}

/** A call of a client on its way to the service. */
export interface InterceptedCall {
  /** For example 'PutItem'. */
  readonly operation: string;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has an input of its own
  readonly input: any;
  /** Lets it go on; with another input only a call as a whole, as a request is signed by then. */
  readonly proceed: (input?: object) => Promise<object>;
}

/** Answers in place of the service, with the output of `proceed` or another one, or throws. */
export type Interception = (call: InterceptedCall) => Promise<object>;

/** Calls as a whole, around the SDK's retries; or each request, behind them. */
const steps = { call: 'initialize', request: 'finalizeRequest' } as const;

/**
 * Stands between a client and its service: the one way in which tests look at calls, change them and let them
 * fail.
 */
export function interceptCalls(
  client: SdkClient,
  kind: 'call' | 'request',
  interception: Interception,
): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const { input } = args as { input: object };
        const proceed = async (changed = input) =>
          ((await next({ ...(args as object), input: changed } as never)) as { output: object }).output;
        const operation = commandName.replace(/Command$/, '');
        return { output: await interception({ operation, input, proceed }), response: {} };
      },
    // The SDK has a type for each step, of which the client's methods take one.
    { step: steps[kind] as 'initialize', name: `intercepted-${kind}-${names++}`, priority: 'low' },
  );
}

/** Each has a name of its own, as several may stand before one client. */
let names = 0;
