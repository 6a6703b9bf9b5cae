import { InvocationDeadline } from '../attempt/invocation-deadline.ts';
import { hasWaitingLines, linesWritten } from './logs/write-line.ts';
import type { RemainingMs } from './remaining-time.ts';
import { timeMargins } from './settings.ts';
import { startSystemTimer } from './system-clock.ts';

const margins = timeMargins({});

/** The deadline of an invocation whose margins no option sets. @param of what it handles, for errors */
export function usualDeadline(
  remainingMs: RemainingMs,
  of: 'message' | 'request' = 'message',
): InvocationDeadline {
  return new InvocationDeadline(remainingMs, margins, startSystemTimer, of);
}

/** Waits for log lines that the system has not taken yet. Without time, they are lost, not the answer. */
export async function untilLinesWritten(deadline: InvocationDeadline): Promise<void> {
  if (hasWaitingLines()) await deadline.untilEnd(linesWritten).catch(() => {});
}
