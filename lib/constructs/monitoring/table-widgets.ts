import { Duration } from 'aws-cdk-lib';
import type { Graph } from './graph-row.ts';
import { sumOf, type WatchedTable } from './table-alarm-rows.ts';

const period = Duration.minutes(1);

export function tableWidgets({ table, plannedUnits }: WatchedTable): Graph[] {
  const units = (side: 'read' | 'write', metricName: string): Graph => {
    const planned = plannedUnits[side];
    return {
      title: `${table.node.id}: consumed ${side} units in a minute`,
      left: [sumOf(table, metricName, period)],
      leftAnnotations:
        planned === undefined ? [] : [{ value: planned * period.toSeconds(), label: 'planned' }],
    };
  };
  return [
    units('read', 'ConsumedReadCapacityUnits'),
    units('write', 'ConsumedWriteCapacityUnits'),
    {
      title: `${table.node.id}: throttles in a minute`,
      left: [
        sumOf(table, 'ReadThrottleEvents', period).with({ label: 'reads' }),
        sumOf(table, 'WriteThrottleEvents', period).with({ label: 'writes' }),
      ],
    },
  ];
}
