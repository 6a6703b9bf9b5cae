import type { RedriveOptions } from './options.ts';

/** The outcome of one message; those that a filter leaves out are only counted. */
export interface RedrivenMessage {
  readonly messageId: string;
  readonly messageType: string;
  /** Why it had failed; `undefined` if SQS moved it to a dead letter queue. */
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
  /** Of those: they failed since the run began, by the clock of this machine, or are of a process that it has resumed. */
  failedMeanwhile: number;
  /** How many SQS did not hand out; `undefined` if the run ended before it had asked for all. */
  notLookedAt: number | undefined;
  interrupted: boolean;
  /** Why the run did not look at all messages, or could not leave them as they were. */
  problem: string | undefined;
}

/** For `--json`. */
export function objectOf(result: RedriveResult, { from, dryRun = false }: RedriveOptions): object {
  const { moved, failed, leftOut, failedMeanwhile, notLookedAt, interrupted, problem } = result;
  const counts = { moved: moved.length, leftOut, failedMeanwhile, failed: failed.length, notLookedAt };
  return { from, dryRun, ...counts, interrupted, problem, messages: moved, failures: failed };
}

export function linesOf(result: RedriveResult, { dryRun = false }: RedriveOptions): string[] {
  const { moved, failed, interrupted, problem } = result;
  const summary = summaryOf(result, dryRun);
  return [
    ...(dryRun ? moved.map((message) => `${lineOf(message)} -> ${message.to}`) : []),
    ...failed.map((message) => `${lineOf(message)}: ${message.problem}`),
    interrupted ? `${summary}; interrupted, the others stay in the queue` : summary,
    ...(problem === undefined ? [] : [problem]),
  ];
}

/** The counts so far. */
export function summaryOf(
  { moved, leftOut, failedMeanwhile, failed, notLookedAt = 0 }: RedriveResult,
  dryRun: boolean,
) {
  const meanwhile = failedMeanwhile === 0 ? '' : ` (${failedMeanwhile} failed during the run)`;
  const summary = `${moved.length} ${dryRun ? 'to move' : 'moved'}, ${leftOut} left out${meanwhile}, ${failed.length} failed`;
  return notLookedAt === 0 ? summary : `${summary}, ${notLookedAt} not looked at`;
}

function lineOf({ messageId, messageType, code, failedAt }: RedrivenMessage): string {
  return [messageId, messageType || '(no type)', code ?? '(no code)', failedAt].join('  ');
}
