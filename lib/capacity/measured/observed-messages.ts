import type { PlannedStep } from '../message-shape.ts';
import { sum, timesUnits } from '../steps.ts';
import type { StepFigures } from './comparison.ts';

/** An attempt at a message, as the hook `onMessage` of a handler reports it. */
export interface ObservedMessage {
  readonly messageType: string;
  readonly outcome: 'handled' | 'duplicate' | 'redispatched' | 'discarded' | 'leftToRelay' | 'failed';
  /** What DynamoDB reported for it. */
  readonly capacity: { readonly readUnits: number; readonly writeUnits: number };
}

/** Attempts at messages of one type that ended alike. */
export interface ObservedMessages extends ObservedMessage {
  readonly count: number;
}

/** Adds an attempt to those of its type and outcome. */
export function withMessage(all: readonly ObservedMessages[], message: ObservedMessage): ObservedMessages[] {
  const { messageType, outcome, capacity } = message;
  const isAlike = (other: ObservedMessages) => other.messageType === messageType && other.outcome === outcome;
  const before = all.find(isAlike);
  if (before === undefined) return [...all, { messageType, outcome, capacity, count: 1 }];
  const both = {
    readUnits: before.capacity.readUnits + capacity.readUnits,
    writeUnits: before.capacity.writeUnits + capacity.writeUnits,
  };
  return all.map((one) => (isAlike(one) ? { ...one, count: one.count + 1, capacity: both } : one));
}

export function countOf(all: readonly ObservedMessages[], outcome: ObservedMessage['outcome']): number {
  return sum(all, (one) => (one.outcome === outcome ? one.count : 0));
}

/** Of attempts that end in a way that no plan tells of. */
export function unplannedOutcomes(all: readonly ObservedMessages[]): string[] {
  return all
    .filter(({ outcome }) => outcome !== 'handled' && outcome !== 'duplicate')
    .map(({ messageType, outcome, count }) => {
      const attempts = count === 1 ? '1 attempt' : `${count} attempts`;
      return `${attempts} at ${messageType} ended as ${outcome}, which is not planned`;
    });
}

/** What so many messages take. */
export function timesSteps<Step extends StepFigures & Pick<PlannedStep, 'step' | 'refusedWcu'>>(
  steps: readonly Step[],
  factor: number,
): Step[] {
  return steps.map((step) => ({
    ...step,
    calls: step.calls * factor,
    items: step.items * factor,
    ...timesUnits(step, factor),
    ...(step.refusedWcu !== undefined && { refusedWcu: step.refusedWcu * factor }),
  }));
}
