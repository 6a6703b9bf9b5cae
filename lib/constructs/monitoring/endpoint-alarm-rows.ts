import { functionAlarmRows } from './function-alarm-rows.ts';
import { messageAlarmRows } from './message-alarm-rows.ts';
import { queueAlarmRows } from './queue-alarm-rows.ts';
import { relayAlarmRows } from './relay-alarm-rows.ts';
import { type TableAlarmName, tableAlarmRows } from './table-alarm-rows.ts';

/** The alarms of an endpoint itself, without those of its tables. */
export const endpointAlarmRows = {
  ...queueAlarmRows,
  ...functionAlarmRows,
  ...messageAlarmRows,
  ...relayAlarmRows,
} as const;

/** Every alarm by its name, as the operations guide lists them. */
export const alarmRows = { ...endpointAlarmRows, ...tableAlarmRows } as const;

export type OwnAlarmName = keyof typeof endpointAlarmRows;
export type EndpointAlarmName = OwnAlarmName | TableAlarmName;
