import { type Command, file, oneOf, readCommandLine, whole } from '../../test/support/command.ts';

export const modes = ['optimistic', 'eventual', 'pessimistic'] as const;
export type Mode = (typeof modes)[number];

export interface ContentionOptions {
  readonly mode: Mode;
  readonly messages: number;
  readonly workers: number;
  /** In per cent of the transactions: those that are refused as if another one were at work on the saga. */
  readonly conflicts: number;
  readonly jsonFile: string | undefined;
}

const defaults = { mode: 'pessimistic', messages: 200, workers: 8, conflicts: 0 } as const;
const maximum = { messages: 5000, workers: 32, conflicts: 50 } as const;

export const usage = `Sends many messages of one saga to a standard queue, from which workers take them in batches of 10. Checks that each
message was applied exactly once and that none is in the dead-letter queue, and counts what it took.

The mode and the pessimistic one take turns, in several rounds: times are medians, and againstPessimistic in the figures is the
ratio of both. The same load then runs on another way to do it. In pessimistic mode that is a blind spin: every message requests the lease by
itself, each 100 to 300 ms. In the other modes it is a retry loop without jitter: every message that meets a conflict starts
over by itself, after a delay that doubles and is the same for all, on average as long as that of sagabox. In optimistic mode
a saga with an embedded outbox and compressed state takes turns with the others.

Usage: npm run contention -- [options]

  --mode MODE      ${modes.join(', ')} (default ${defaults.mode})
  --messages N     1 to ${maximum.messages}, default ${defaults.messages}
  --workers N      1 to ${maximum.workers}, default ${defaults.workers}
  --conflicts P    refuses so many per cent of the transactions for a conflict with another one, up to ${maximum.conflicts}, default ${defaults.conflicts}
  --json FILE      write the figures of the run to FILE
  --help           this text

With the defaults of --messages, --workers and --conflicts, the optimistic mode is held to bounds on units, calls and time.

Exit code: 0 if all checks hold, 1 if one does not, 2 for unknown options and wrong values, 3 if one that needs an idle machine
does not hold and other processes used the processors.
`;

export function readCommand(args: readonly string[]): Command<ContentionOptions> {
  const options = {
    mode: oneOf(modes, defaults.mode),
    messages: whole([1, maximum.messages], defaults.messages),
    workers: whole([1, maximum.workers], defaults.workers),
    conflicts: whole([0, maximum.conflicts], defaults.conflicts),
    json: file,
  };
  return readCommandLine(args, usage, options, ({ json, ...load }) => ({ ...load, jsonFile: json }));
}
