import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { unless } from '../../kernel/checks/checks.ts';
import { withProps } from '../checks/prop-checks.ts';
import { isBoolean } from '../checks/prop-kinds.ts';
import { Violations } from '../violations.ts';
import { AlarmMaker, type AlarmProps, alarmPropChecks } from './alarm-maker.ts';
import { alarmPropViolations } from './alarm-prop-rules.ts';
import { type AlarmAdjustments, alarmAdjustments } from './alarm-settings.ts';
import { type TableAlarmName, tableAlarmRows, type WatchedTable } from './table-alarm-rows.ts';
import { watchOnce } from './watched-once.ts';

export interface CapacityAlarmOptions extends AlarmProps {
  /**
   * Adjusts alarms by name, or leaves one out with `false`.
   *
   * @default - all alarms of the operations guide that apply to the table
   */
  readonly alarms?: AlarmAdjustments<TableAlarmName>;
}

/** Whether there are to be alarms, and which. */
export const capacityAlarmsCheck = unless(
  isBoolean,
  withProps<CapacityAlarmOptions>(
    { ...alarmPropChecks, alarms: alarmAdjustments(tableAlarmRows) },
    { name: 'true or an object' },
  ),
);

/** The alarms of a table that watches itself: `EndpointMonitoring` adds none for it. */
export function addCapacityAlarms(
  table: Table,
  watched: Omit<WatchedTable, 'table'>,
  options: CapacityAlarmOptions,
): readonly Alarm[] {
  const { alarms = {}, ...props } = options;
  const violations = new Violations(table, () => alarmPropViolations(table, props));
  watchOnce(table, table);
  const made = new AlarmMaker(table, props, violations).make({
    name: table.node.id,
    watched: { ...watched, table },
    rows: tableAlarmRows,
    adjustments: alarms,
  });
  return [...made.values()];
}
