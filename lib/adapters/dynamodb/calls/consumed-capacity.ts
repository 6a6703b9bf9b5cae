import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';

/** What a part of a call takes by DynamoDB's rules, and who pays for it. */
export interface Consumer {
  readonly tableName: string;
  readonly units: number;
  pay(units: number): void;
}

/**
 * Splits what a call consumed over its parts, in proportion to what each takes: DynamoDB reports one sum for
 * each table. Together they pay exactly what was reported.
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
