import { parseArgs } from 'node:util';
import { parseSince } from '../since.ts';

export interface RedriveOptions {
  readonly from: string;
  /** Nothing for the queue that each message came from. */
  readonly to: string | undefined;
  readonly codes: readonly string[];
  readonly types: readonly string[];
  readonly since: Date | undefined;
  readonly maximum: number;
  readonly dryRun: boolean;
  readonly json: boolean;
}

export type RedriveCommandLine = { run: RedriveOptions } | { help: true } | { refused: string };

export const redriveUsage = `Moves messages from an error queue or a dead letter queue back to the queues that they came from.

Usage: sagabox redrive --from URL [options]

  --from URL     the queue to take messages from
  --to URL       the queue to send them to (default: where each came from, by its failure header or by SQS)
  --code CODE    only messages that failed with this error code; may be repeated
  --type TYPE    only messages of this type; may be repeated
  --since TIME   only messages that failed since a time (2026-11-21T06:00Z) or a duration ago (90s, 30m, 12h, 7d)
  --max N        move at most N messages
  --dry-run      tell what would be moved, and move nothing
  --json         write the result as one JSON object
  --help         this text

Each message is sent, then deleted: interrupted at any time, none is lost, and one that is there twice has the same id, so
that it is handled once. Messages that are left out stay in the queue. Region and credentials come from the environment, as
for every tool of AWS.

Exit code: 0 when all went well, 1 when a message could not be moved, or was not looked at, or the run was interrupted, 2 for
options that are not understood.`;

/** Reads the command line; what it does not understand is refused with a reason. */
export function readRedriveCommand(args: readonly string[], now: Date): RedriveCommandLine {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        from: { type: 'string' },
        to: { type: 'string' },
        code: { type: 'string', multiple: true, default: [] },
        type: { type: 'string', multiple: true, default: [] },
        since: { type: 'string' },
        max: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { help: true };
    const { from, to } = values;
    if (from === undefined)
      return { refused: '--from is missing: give the URL of the queue to take messages from' };
    for (const [option, url] of [['--from', from] as const, ['--to', to] as const]) {
      if (url !== undefined && !(/^https?:/.test(url) && URL.canParse(url)))
        return { refused: `${option} takes the URL of a queue, not '${url}'` };
    }
    if (from === to) return { refused: '--to is the queue of --from: its messages are there already' };
    if (values.max !== undefined && !/^[1-9]\d{0,14}$/.test(values.max)) {
      return { refused: `--max takes a whole number from 1, not '${values.max}'` };
    }
    const since = values.since === undefined ? undefined : parseSince(values.since, now);
    if (values.since !== undefined && since === undefined) {
      return {
        refused: `--since takes a time such as 2026-11-21T06:00Z or a duration such as 12h, not '${values.since}'`,
      };
    }
    return {
      run: {
        from,
        to,
        codes: values.code,
        types: values.type,
        since,
        maximum: Number(values.max ?? Number.POSITIVE_INFINITY),
        dryRun: values['dry-run'],
        json: values.json,
      },
    };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}
