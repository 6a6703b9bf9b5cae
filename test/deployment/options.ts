import { anyString, type Command, file, flag, readCommandLine, whole } from '../support/command.ts';

export interface ProveDeployOptions {
  readonly orders: number;
  /** Processes of functions that are killed at work. */
  readonly kills: number;
  /** Whether each update is deployed by itself. */
  readonly eachUpdate: boolean;
  readonly jsonFile: string | undefined;
  readonly mode:
    | { readonly kind: 'proof'; readonly withoutStatement: string | undefined }
    | { readonly kind: 'eachStatement'; readonly only: string | undefined }
    | { readonly kind: 'listStatements' };
}

export const defaults = { orders: 150, kills: 20 } as const;

const ranges = { orders: [4, 10_000], kills: [0, 1_000] } as const;

export const usage = `Deploys the sample app and an app of two stacks with every construct to an emulator of AWS that enforces IAM, by the CDK's own
command line. Sends every message twice, kills processes of functions at work, deploys updates meanwhile, and checks that each
order took effect once, that no call was denied, and that nothing is left behind after the stacks are destroyed.

Usage: npm run prove-deploy -- [options]

  --orders N                 ${ranges.orders[0]} to ${ranges.orders[1]}, default ${defaults.orders}; every third one goes to the sample app
  --kills N                  processes to be killed at work, ${ranges.kills[0]} to ${ranges.kills[1]}, default ${defaults.kills}
  --each-update              deploy each update by itself, not several at once
  --json FILE                write the figures to FILE
  --list-statements          print the names of the statements of all policies, and deploy nothing
  --without-statement NAME   deploy without this one, which the run has to notice
  --each-statement           take out each statement in turn, and tell which call that denied
  --only TEXT                with --each-statement: those whose names hold TEXT
  --help                     this text

Needs Python 3.10 or newer, for the emulator. Exit code: 0 when all held, 1 when something did not, 2 for options that are not
understood, or if there is no such Python, 130 when interrupted.
`;

/** With fewer, no message is on its way while an update is deployed. */
const minOrders = (eachUpdate: boolean) => (eachUpdate ? 10 : ranges.orders[0]);

/** Reads the command line; what it does not understand is refused with a reason. */
export function readCommand(args: readonly string[]): Command<ProveDeployOptions> {
  const options = {
    orders: whole(ranges.orders, defaults.orders),
    kills: whole(ranges.kills, defaults.kills),
    'each-update': flag,
    json: file,
    'list-statements': flag,
    'without-statement': anyString,
    'each-statement': flag,
    only: anyString,
  };
  return readCommandLine(args, usage, options, ({ orders, kills, json: jsonFile, only, ...values }) => {
    const {
      'each-update': eachUpdate,
      'each-statement': each,
      'list-statements': list,
      'without-statement': without,
    } = values;
    if ([each, list, without !== undefined].filter(Boolean).length > 1)
      throw new Error('Of --list-statements, --without-statement and --each-statement, give one');
    if (only !== undefined && !each) throw new Error('--only belongs to --each-statement');
    if (without === '') throw new Error('--without-statement takes a name of --list-statements');
    const proof = { kind: 'proof', withoutStatement: without } as const;
    const eachStatement = { kind: 'eachStatement', only } as const;
    const mode = list ? ({ kind: 'listStatements' } as const) : each ? eachStatement : proof;
    if (orders < minOrders(eachUpdate))
      throw new Error(`--each-update needs at least ${minOrders(true)} orders`);
    return { orders, kills, eachUpdate, jsonFile, mode };
  });
}
