import { numberIn } from '../../kernel/checks/bounds.ts';
import { type Check, objectOf, oneOf, problemsOf, trueOrFalse } from '../../kernel/checks/checks.ts';
import { type Problem, problemsError } from '../../kernel/checks/problems.ts';
import type { SagaboxError } from '../../kernel/errors/errors.ts';
import { limits } from '../../kernel/limits.ts';
import { MAX_COLLECTED } from '../../saga/draft-contributions.ts';
import type { MessageShape } from '../message-shape.ts';
import { type WholeShape, wholeShape } from '../shape-defaults.ts';
import { limitError } from './shape-limits.ts';

/** More is a typing error: one handler sends at most 16 MiB of messages, whatever their number. */
const MAX_OUTGOING = 10_000;
const MAX_DESTINATIONS = 1_000;
const MAX_LOCK_ATTEMPTS = 100;
const MAX_LIVE_IDS = 1_000_000;
/** At 0.99 a message is handled a hundred times. */
const MAX_CONFLICT_RATE = 0.99;

const bytes = limits.itemBytes;
const choices = {
  sagaChange: ['create', 'update', 'complete', 'none'],
  locking: ['optimistic', 'eventual', 'pessimistic'],
  layout: ['records', 'embedded'],
} as const satisfies Partial<Record<keyof MessageShape, unknown>>;
export const shapeChoices: Readonly<Record<string, readonly string[]>> = choices;

export const shapeCheck = objectOf({
  sagaBytes: numberIn({ min: 0, max: bytes }),
  sagaCompressionRatio: numberIn({ min: 0, max: 2, fractions: true, excludes: 'min' }),
  sagaChange: oneOf(...choices.sagaChange),
  locking: oneOf(...choices.locking),
  lockAttempts: numberIn({ min: 1, max: MAX_LOCK_ATTEMPTS, fractions: true }),
  outbox: trueOrFalse,
  layout: oneOf(...choices.layout),
  liveIds: numberIn({ min: 0, max: MAX_LIVE_IDS, fractions: true }),
  appended: numberIn({ min: 0, max: limits.transactionItems }),
  collected: numberIn({ min: 0, max: MAX_COLLECTED }),
  contributionBytes: numberIn({ min: 1, max: bytes }),
  outgoing: numberIn({ min: 0, max: MAX_OUTGOING }),
  messageBytes: numberIn({ min: 1, max: limits.messageBytes }),
  destinations: numberIn({ min: 1, max: MAX_DESTINATIONS }),
  compressionRatio: numberIn({ min: 0, max: 2, fractions: true, excludes: 'min' }),
  duplicateRate: numberIn({ min: 0, max: 1, fractions: true, excludes: 'max' }),
  conflictRate: numberIn({ min: 0, max: MAX_CONFLICT_RATE, fractions: true }),
  metadataBytes: numberIn({ min: 100, max: bytes }),
} satisfies Record<keyof MessageShape, Check>);

/** What does not go together. */
export function problemsOfShape(shape: MessageShape, path = ''): Problem[] {
  return [...problemsOfLayout(shape, path), ...problemsOfContributions(shape, path)];
}

/** As `defineSaga` and the handlers refuse it. */
function problemsOfContributions(shape: MessageShape, path: string): Problem[] {
  const { appended, collected, layout, sagaBytes, sagaChange } = wholeShape(shape);
  const name = appended > 0 ? 'appended' : 'collected';
  if (appended + collected === 0) return [];
  const remedy =
    sagaBytes === 0 || layout !== 'records'
      ? "Use it only for a message with a saga (sagaBytes), and with layout 'records'"
      : appended > 0 && (collected > 0 || sagaChange !== 'none')
        ? "Use it only for a message that leaves its saga as it is (sagaChange 'none'), and collects nothing"
        : collected > 0 && sagaChange !== 'update' && sagaChange !== 'complete'
          ? 'Use it only for a message that updates or completes its saga (sagaChange)'
          : undefined;
  if (remedy === undefined) return [];
  return [{ at: `${path}${name}`, problem: 'it is more than 0, which no such message can have', remedy }];
}

/** An embedded outbox is that of a saga. */
function problemsOfLayout({ layout, sagaBytes = 0, outbox = true }: MessageShape, path: string): Problem[] {
  if (layout !== 'embedded' || (sagaBytes > 0 && outbox)) return [];
  const problem = "it is 'embedded', and the message lacks its saga or its outbox";
  const remedy = 'Say how large the saga is by sagaBytes, and leave outbox out, or leave layout out';
  return [{ at: `${path}layout`, problem, remedy }];
}

/** What a run would throw for a shape, as a problem. */
export function limitProblems(cause: SagaboxError | undefined, at = ''): Problem[] {
  if (cause === undefined) return [];
  const problem = `it goes over a limit: ${cause.message.replace(/\.$/, '')}`;
  return [{ at, problem, remedy: 'Plan smaller messages, or fewer' }];
}

/**
 * The shape with its defaults.
 *
 * @throws SagaboxError `Configuration` with every problem; its cause is the error that a run would throw
 */
export function assertShape(value: unknown): WholeShape {
  const problems = [...problemsOf(shapeCheck, value)];
  if (problems.length === 0) problems.push(...problemsOfShape(value as MessageShape));
  const cause = problems.length > 0 ? undefined : limitError(wholeShape(value as MessageShape));
  problems.push(...limitProblems(cause));
  if (problems.length > 0) throw problemsError('The shape of the message', problems, { cause });
  return wholeShape(value as MessageShape);
}
