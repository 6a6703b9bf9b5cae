import { createHash } from 'node:crypto';

/** Fixed: messages that are under way when it changes meet their saga in two queues. */
const partitions = 4;

export const partitionNames = Array.from({ length: partitions }, (_, index) => `accounts-${index}`);

/** The queue of an account: `send(partitionOf(account), 'Booked', …)`. */
export function partitionOf(account: string): string {
  const hash = createHash('sha256').update(account).digest().readUInt32BE();
  return `accounts-${hash % partitions}`;
}
