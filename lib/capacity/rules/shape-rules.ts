import type * as v from 'valibot';
import type { SagaboxError } from '../../core/failures/errors.ts';
import { limits } from '../../core/limits.ts';
import { MAX_FOLDED } from '../../core/saga/draft-contributions.ts';
import type { MessageShape } from '../message-shape.ts';
import { type WholeShape, wholeShape } from '../shape-defaults.ts';
import {
  boolean,
  number,
  numberBelow,
  object,
  oneOf,
  positiveNumber,
  problemsOf,
  wholeNumber,
} from './fields.ts';
import { type Problem, problemsError } from './problems.ts';
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

const fields: Record<keyof MessageShape, v.GenericSchema> = {
  sagaBytes: wholeNumber(0, bytes),
  sagaCompressionRatio: positiveNumber(2),
  sagaChange: oneOf(choices.sagaChange),
  locking: oneOf(choices.locking),
  lockAttempts: number(1, MAX_LOCK_ATTEMPTS),
  outbox: boolean,
  layout: oneOf(choices.layout),
  liveIds: number(0, MAX_LIVE_IDS),
  appended: wholeNumber(0, limits.transactionItems),
  collected: wholeNumber(0, MAX_FOLDED),
  contributionBytes: wholeNumber(1, bytes),
  outgoing: wholeNumber(0, MAX_OUTGOING),
  messageBytes: wholeNumber(1, limits.messageBytes),
  destinations: wholeNumber(1, MAX_DESTINATIONS),
  compressionRatio: positiveNumber(2),
  duplicateRate: numberBelow(1),
  conflictRate: number(0, MAX_CONFLICT_RATE),
  metadataBytes: wholeNumber(100, bytes),
};
export const shapeSchema = object(fields);

/** What does not go together. */
export function problemsOfShape(shape: MessageShape, path = ''): Problem[] {
  return [...problemsOfLayout(shape, path), ...problemsOfContributions(shape, path)];
}

/** As `defineSaga` and the handlers refuse it. */
function problemsOfContributions(shape: MessageShape, path: string): Problem[] {
  const { appended, collected, layout, sagaBytes, sagaChange } = wholeShape(shape);
  const name = appended > 0 ? 'appended' : 'collected';
  if (appended + collected === 0) return [];
  const problem =
    sagaBytes === 0 || layout !== 'records'
      ? "can be more than 0 only of a message with a saga (sagaBytes), and with layout 'records'"
      : appended > 0 && (collected > 0 || sagaChange !== 'none')
        ? "can be more than 0 only of a message that leaves its saga as it is (sagaChange 'none'), and collects nothing"
        : collected > 0 && sagaChange !== 'update' && sagaChange !== 'complete'
          ? 'can be more than 0 only of a message that updates or completes its saga (sagaChange)'
          : undefined;
  return problem === undefined ? [] : [{ path: `${path}${name}`, problem }];
}

/** An embedded outbox is that of a saga. */
function problemsOfLayout({ layout, sagaBytes = 0, outbox = true }: MessageShape, path: string): Problem[] {
  if (layout !== 'embedded' || (sagaBytes > 0 && outbox)) return [];
  const problem = "can be 'embedded' only of a message with a saga (sagaBytes) and an outbox";
  return [{ path: `${path}layout`, problem }];
}

/** What a run would throw for a shape, as a problem. */
export function limitProblems(cause: SagaboxError | undefined, path = ''): Problem[] {
  return cause === undefined ? [] : [{ path, problem: `goes over a limit: ${cause.message}` }];
}

/**
 * The shape with its defaults.
 *
 * @throws SagaboxError `Configuration` with every problem; its cause is the error that a run would throw
 */
export function assertShape(value: unknown): WholeShape {
  const problems = problemsOf(shapeSchema, value);
  if (problems.length === 0) problems.push(...problemsOfShape(value as MessageShape));
  const cause = problems.length > 0 ? undefined : limitError(wholeShape(value as MessageShape));
  problems.push(...limitProblems(cause));
  if (problems.length > 0) throw problemsError('The shape of the message', problems, cause);
  return wholeShape(value as MessageShape);
}
