import type { Complaint } from '../../../bench/control/conclude-measured.ts';
import type { DesignName } from '../designs.ts';
import type { RoundFigures } from '../measure/round.ts';
import type { ReportFigures } from './figures.ts';

type Figure = Exclude<keyof RoundFigures, 'messages'>;

/** Figures that a design makes smaller, in a full run: why you choose it. */
const gains: Readonly<Record<DesignName, readonly Figure[]>> = {
  'locking-mode': ['conflicts', 'refusedWcuPerMessage', 'rcuPerMessage'],
  'tuning-concurrency': ['conflicts', 'wcuPerMessage', 'callsPerMessage', 'millisPerMessage'],
  'dedicated-endpoint': ['refusedLockAttempts', 'millisPerMessage'],
  'fifo-groups': ['conflicts', 'callsPerMessage', 'millisPerMessage'],
  'partitioned-queues': ['conflicts', 'callsPerMessage'],
  chunking: ['conflicts', 'millisPerMessage'],
  sequential: ['conflicts', 'refusedWcuPerMessage', 'rcuPerMessage'],
  'small-state': ['wcuPerMessage', 'rcuPerMessage'],
  'start-before-race': ['conflicts', 'refusedWcuPerMessage', 'rcuPerMessage'],
  'append-only': ['conflicts', 'callsPerMessage', 'millisPerMessage'],
  'custom-store': ['conflicts', 'refusedWcuPerMessage', 'millisPerMessage'],
  recoverability: ['deadLettered'],
  'io-outside': ['conflicts', 'callsPerMessage', 'millisPerMessage'],
};

/** @returns the gains that figures of a full run do not show; those of time need an idle machine */
export function missingGains(figures: ReportFigures['designs']): Complaint[] {
  return (Object.keys(figures) as DesignName[]).flatMap((name) => {
    const { before, after } = figures[name] ?? {};
    if (before === undefined || after === undefined) return [];
    return gains[name]
      .filter((figure) => after[figure] >= before[figure])
      .map((figure) => ({
        text: `${name}: ${figure} is ${after[figure]}, before ${before[figure]}`,
        timedPart: figure === 'millisPerMessage' ? name : undefined,
      }));
  });
}
