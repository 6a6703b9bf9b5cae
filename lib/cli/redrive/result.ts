import type { RedriveOptions } from './options.ts';

/** What became of one message; those that a filter leaves out are only counted. */
export interface RedrivenMessage {
  readonly messageId: string;
  readonly messageType: string;
  /** Why it had failed; nothing when SQS moved it to a dead letter queue. */
  readonly code: string | undefined;
  readonly failedAt: string;
  readonly to: string | undefined;
  /** Why it could not be moved. */
  readonly problem: string | undefined;
}

export interface RedriveResult {
  readonly moved: RedrivenMessage[];
  readonly failed: RedrivenMessage[];
  leftOut: number;
  /** How many SQS did not hand out; nothing when the run ended before it had asked for all. */
  notLookedAt: number | undefined;
  interrupted: boolean;
  /** Why the run did not look at all messages, or could not leave them as they were. */
  problem: string | undefined;
}

/** The result as one JSON object, or as lines that end with a summary. */
export function linesOf(result: RedriveResult, { json, dryRun, from }: RedriveOptions): string[] {
  const { moved, failed, leftOut, notLookedAt, interrupted, problem } = result;
  if (json) {
    const counts = { moved: moved.length, leftOut, failed: failed.length, notLookedAt };
    const object = { from, dryRun, ...counts, interrupted, problem, messages: moved, failures: failed };
    return [JSON.stringify(object)];
  }
  const summary = summaryOf(result, dryRun);
  return [
    ...(dryRun ? moved.map((message) => `${lineOf(message)} -> ${message.to}`) : []),
    ...failed.map((message) => `${lineOf(message)}: ${message.problem}`),
    interrupted ? `${summary}; interrupted, the others stay in the queue` : summary,
    ...(problem === undefined ? [] : [problem]),
  ];
}

/** The counts, as they are so far. */
export function summaryOf({ moved, leftOut, failed, notLookedAt = 0 }: RedriveResult, dryRun: boolean) {
  const summary = `${moved.length} ${dryRun ? 'to move' : 'moved'}, ${leftOut} left out, ${failed.length} failed`;
  return notLookedAt === 0 ? summary : `${summary}, ${notLookedAt} not looked at`;
}

function lineOf({ messageId, messageType, code, failedAt }: RedrivenMessage): string {
  return [messageId, messageType || '(no type)', code ?? '(no code)', failedAt].join('  ');
}
