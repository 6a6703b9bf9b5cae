import { type Command, file, oneOf, readCommandLine, whole } from '../../test/support/command.ts';

const lockingModes = ['optimistic', 'eventual', 'pessimistic'] as const;
type LockingMode = (typeof lockingModes)[number];

export interface RunOptions {
  readonly orders: number;
  /** Whether the sample's handlers use their outbox. */
  readonly outbox: boolean;
  /** How the sample's handlers of one saga are kept apart. */
  readonly locking: LockingMode;
  /** File that the figures are written to. */
  readonly jsonFile: string | undefined;
}

const defaultOrders = 200;
const maxOrders = 10_000;

export const usage = `Runs the order-fulfilment sample on this machine, delivers every message twice, kills its functions at
every step, and checks that each order was charged, shipped and announced exactly once.

Usage: npm start -- [options]

  --orders N       how many orders are placed (1 to ${maxOrders}, default ${defaultOrders})
  --json FILE      write the figures of the run to FILE
  --locking MODE   ${lockingModes.join(', ')} (default ${lockingModes[0]})
  --outbox false   build the functions without their outbox, to see the check fail
  --help           this text

Exit code: 0 when nothing was lost or applied twice, 1 when something was, 2 for options that are not understood.
`;

/** Reads the command line; what it does not understand is refused with a reason. */
export function readCommand(args: readonly string[]): Command<RunOptions> {
  const options = {
    orders: whole([1, maxOrders], defaultOrders),
    json: file,
    locking: oneOf(lockingModes, lockingModes[0]),
    outbox: oneOf(['true', 'false'], 'true'),
  };
  return readCommandLine(args, usage, options, ({ orders, json, locking, outbox }) => ({
    orders,
    outbox: outbox === 'true',
    locking,
    jsonFile: json,
  }));
}
