import type { AttributeValue, ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { CapacityUnits } from './capacity-meter.ts';
import { itemSize } from './item-size.ts';

/**
 * How many units a call takes: the one place of the rules, for plans, reports and what corrects an engine.
 *
 * Sources: "DynamoDB read and write operations", "DynamoDB provisioned capacity mode", "DynamoDB on-demand
 * capacity mode" and "Amazon DynamoDB Transactions: How it works" in the Amazon DynamoDB Developer Guide.
 */
export const READ_UNIT_BYTES = 4096;
export const WRITE_UNIT_BYTES = 1024;

/** The most bytes of the items that one page of a query or a scan reads. Source: "Query" in the API Reference. */
export const PAGE_BYTES = 1024 * 1024;

/** A transaction prepares and commits: its items take twice their units, its indexes do not. */
export const TRANSACTION_FACTOR = 2;

type Item = Readonly<Record<string, AttributeValue>>;

/** A read that finds no item takes as much as one of the smallest item. */
export function readUnits(bytes: number, consistentRead: boolean): number {
  return Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES)) * (consistentRead ? 1 : 0.5);
}

/** @param bytes of the larger one of the item before and after the write */
export function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES));
}

/** @param item undefined when none is found */
export function itemReadUnits(item: Item | undefined, consistentRead: boolean): number {
  return readUnits(sizeOf(item), consistentRead);
}

/** @param images of the item before and after the write, each undefined where there is none */
export function itemWriteUnits(...images: readonly (Item | undefined)[]): number {
  return writeUnits(Math.max(...images.map(sizeOf)));
}

/** The units of a write, as reported. A transaction that is sent again with its token takes reads. */
export function reportedUnits(reported: ConsumedCapacity): CapacityUnits {
  const { CapacityUnits: units = 0, ReadCapacityUnits: reads = 0 } = reported;
  return { readUnits: reads, writeUnits: units - reads };
}

function sizeOf(item: Item | undefined): number {
  return item === undefined ? 0 : itemSize(item);
}
