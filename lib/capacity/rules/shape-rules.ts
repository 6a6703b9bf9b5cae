import type { SagaboxError } from '../../core/failures/errors.ts';
import { limits } from '../../core/limits.ts';
import type { MessageShape } from '../message-shape.ts';
import { type WholeShape, wholeShape } from '../shape-defaults.ts';
import { type ObjectRule, problemsOf } from './field-rules.ts';
import { type Problem, problemsError } from './problems.ts';
import { limitError } from './shape-limits.ts';

/** More than this is a slip of the pen: 16 MiB of messages are the most that one handler sends, whatever their number. */
const MAX_OUTGOING = 10_000;
const MAX_DESTINATIONS = 1_000;
const MAX_LOCK_ATTEMPTS = 100;
/** At 0.99 a message is handled a hundred times. */
const MAX_CONFLICT_RATE = 0.99;

export const shapeRule = {
  fields: {
    sagaBytes: { kind: 'number', minimum: 0, maximum: limits.itemBytes, whole: true },
    sagaChange: { kind: 'choice', choices: ['create', 'update', 'complete', 'none'] },
    locking: { kind: 'choice', choices: ['optimistic', 'eventual', 'pessimistic'] },
    lockAttempts: { kind: 'number', minimum: 1, maximum: MAX_LOCK_ATTEMPTS },
    outbox: { kind: 'boolean' },
    layout: { kind: 'choice', choices: ['packed', 'itemized'] },
    outgoing: { kind: 'number', minimum: 0, maximum: MAX_OUTGOING, whole: true },
    messageBytes: { kind: 'number', minimum: 1, maximum: limits.messageBytes, whole: true },
    destinations: { kind: 'number', minimum: 1, maximum: MAX_DESTINATIONS, whole: true },
    compressionRatio: { kind: 'number', minimum: 0, above: true, maximum: 2 },
    relayIndex: { kind: 'boolean' },
    duplicateRate: { kind: 'number', minimum: 0, maximum: 1, below: true },
    conflictRate: { kind: 'number', minimum: 0, maximum: MAX_CONFLICT_RATE },
    metadataBytes: { kind: 'number', minimum: 100, maximum: limits.itemBytes, whole: true },
  },
} as const satisfies ObjectRule & { fields: Record<keyof MessageShape, unknown> };

/** Every problem of a shape; when there is none, what it goes beyond as a whole. */
export function problemsOfShape(value: unknown, at = ''): { problems: Problem[]; cause?: SagaboxError } {
  const problems = problemsOf(value, shapeRule, at);
  if (problems.length > 0) return { problems };
  const cause = limitError(wholeShape(value as MessageShape));
  if (cause === undefined) return { problems };
  return { problems: [{ path: at, problem: `goes over a limit: ${cause.message}` }], cause };
}

/**
 * The shape with its defaults.
 *
 * @throws SagaboxError `Configuration` that tells every problem; its cause is the error of the limit that a run would meet
 */
export function assertShape(value: unknown): WholeShape {
  const { problems, cause } = problemsOfShape(value);
  if (problems.length > 0) throw problemsError('The shape of the message', problems, cause);
  return wholeShape(value as MessageShape);
}
