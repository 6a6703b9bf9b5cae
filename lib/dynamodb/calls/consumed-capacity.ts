import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';

/** A part of a call: the units that it takes by DynamoDB's rules, and who pays for them. */
export interface Consumer {
  readonly tableName: string;
  readonly units: number;
  pay(units: number): void;
}

/**
 * Splits the capacity that a call consumed over its parts, in proportion to the units of each: DynamoDB
 * reports one sum for each table. The parts together pay exactly the reported units.
 */
export function splitCapacity(
  reported: readonly ConsumedCapacity[] | undefined,
  consumers: readonly Consumer[],
): void {
  for (const { TableName: tableName, CapacityUnits: units = 0 } of reported ?? []) {
    const ofTable = consumers.filter((consumer) => consumer.tableName === tableName);
    split(units, ofTable.length > 0 ? ofTable : consumers);
  }
}

function split(reported: number, consumers: readonly Consumer[]): void {
  const total = consumers.reduce((sum, { units }) => sum + units, 0);
  let rest = reported;
  consumers.forEach((consumer, index) => {
    const isLast = index === consumers.length - 1;
    const share = isLast ? rest : consumer.units * (reported / total);
    rest -= share;
    consumer.pay(share);
  });
}
