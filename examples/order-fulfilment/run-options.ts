import { parseArgs } from 'node:util';

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

export type Command = { run: RunOptions } | { help: string } | { refused: string };

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
export function readCommand(args: readonly string[]): Command {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        orders: { type: 'string', default: String(defaultOrders) },
        json: { type: 'string' },
        locking: { type: 'string', default: lockingModes[0] },
        outbox: { type: 'string', default: 'true' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { help: usage };
    const orders = Number(values.orders);
    if (!/^\d+$/.test(values.orders) || orders < 1 || orders > maxOrders) {
      return { refused: `--orders takes a whole number from 1 to ${maxOrders}, not '${values.orders}'` };
    }
    if (values.outbox !== 'true' && values.outbox !== 'false') {
      return { refused: `--outbox takes true or false, not '${values.outbox}'` };
    }
    const locking = lockingModes.find((mode) => mode === values.locking);
    if (locking === undefined) {
      return { refused: `--locking takes ${lockingModes.join(', ')}, not '${values.locking}'` };
    }
    if (values.json === '') return { refused: '--json takes the path of a file' };
    return { run: { orders, outbox: values.outbox === 'true', locking, jsonFile: values.json } };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}
