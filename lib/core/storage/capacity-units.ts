/** Sources: "DynamoDB provisioned capacity mode" and "DynamoDB on-demand capacity mode" in the Amazon DynamoDB Developer Guide. */
export const READ_UNIT_BYTES = 4096;
export const WRITE_UNIT_BYTES = 1024;

/** A read that finds nothing takes as much as one of the smallest item. */
export function readUnits(bytes: number, consistentRead: boolean): number {
  return Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES)) * (consistentRead ? 1 : 0.5);
}

/** @param bytes of the larger one of the item before and after the write */
export function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES));
}
