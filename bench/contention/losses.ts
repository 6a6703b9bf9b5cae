import type { RoundFigures } from './round.ts';

/** What of the promise that each message is applied once did not hold, in words; nothing when all did. */
export function losses({ messages, applied, appliedTwice, deadLettered }: RoundFigures): string[] {
  const found: string[] = [];
  if (applied !== messages) found.push(`${messages - applied} messages were not applied`);
  if (appliedTwice > 0) found.push(`${appliedTwice} messages were applied more than once`);
  if (deadLettered > 0) found.push(`${deadLettered} messages are in the dead-letter queue`);
  return found;
}
