import { type Command, flag, oneOf, readCommandLine, whole } from '../../test/support/command.ts';

export interface ScatterGatherOptions {
  readonly requests: number;
  readonly workers: number;
  readonly outbox: (typeof forms)[number];
  /** Of the run under faults; the measured ones have several. */
  readonly width: number;
  readonly kills: number;
  readonly duplicatePercent: number;
  readonly seed: number;
  /** Whether the table is written into the guide. */
  readonly docs: boolean;
}

const defaults = { requests: 1000, workers: 8, width: 32, kills: 0, duplicates: 0, seed: 1 } as const;
const maximum = { requests: 10_000, workers: 32, width: 1000, kills: 1000, duplicates: 100 } as const;
const forms = ['records', 'embedded'] as const;

export const usage = `Sends many requests by scatterGather, on a DynamoDB engine and an SQS emulator, and gathers the replies with
several functions that take batches of 10. Checks that one result was sent, that it counts each reply once, and that no saga
and no dead message is left.

Without --kills and --duplicates, all replies wait in the queue before the first one is gathered, and the table shows what
gathering takes with widths of 1,000, 32 and 2, with and without commits of several messages.

With one of them, all functions work at the same time. A killed one does no further call, before or after one that the seed
chooses, and its messages come back after the visibility timeout. Of the calls that send messages, some are sent twice.

Usage: npm run scatter-gather -- [options]

  --requests N     1 to ${maximum.requests}, default ${defaults.requests}
  --workers N      functions that gather, 1 to ${maximum.workers}, default ${defaults.workers}
  --outbox FORM    ${forms.join(' or ')} (default ${forms[0]})
  --docs           write the table into docs/guide/scatter-gather.md
  --kills N        functions that are killed, 0 to ${maximum.kills}, default ${defaults.kills}
  --duplicates P   percent of sending calls that are sent twice, 0 to ${maximum.duplicates}, default ${defaults.duplicates}
  --width N        of the run with --kills or --duplicates, 2 to ${maximum.width}, default ${defaults.width}
  --seed N         of what is killed and sent twice, default ${defaults.seed}
  --help           this text

Exit code: 0 if all checks hold, 1 if one does not, 2 for unknown options and wrong values.
`;

export function readCommand(args: readonly string[]): Command<ScatterGatherOptions> {
  const options = {
    requests: whole([1, maximum.requests], defaults.requests),
    workers: whole([1, maximum.workers], defaults.workers),
    outbox: oneOf(forms, forms[0]),
    kills: whole([0, maximum.kills], defaults.kills),
    duplicates: whole([0, maximum.duplicates], defaults.duplicates),
    width: whole([2, maximum.width], defaults.width),
    seed: whole([0, 2 ** 32 - 1], defaults.seed),
    docs: flag,
  };
  return readCommandLine(args, usage, options, ({ duplicates, ...load }) => ({
    ...load,
    duplicatePercent: duplicates,
  }));
}
