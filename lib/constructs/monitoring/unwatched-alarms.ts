import { Duration } from 'aws-cdk-lib';
import type { AlarmRow } from './alarm-row.ts';
import { endpointAlarmRows } from './endpoint-alarm-rows.ts';
import { tableAlarmRows, type WatchedTable } from './table-alarm-rows.ts';
import type { WatchedEndpoint } from './watched-endpoint.ts';

const anySettings = { period: Duration.minutes(5), minSamples: 1 };

/**
 * Alarms that there is nothing for to watch, each with what it needs. Those that another monitoring has, of
 * what the endpoint shares, are not among them.
 */
export function unwatchedAlarms(
  endpoint: WatchedEndpoint,
  tables: readonly WatchedTable[],
): (readonly [name: string, needs: string])[] {
  return [...unwatched(endpointAlarmRows, [endpoint]), ...unwatched(tableAlarmRows, tables)];
}

function unwatched<Watched>(
  rows: Readonly<Record<string, AlarmRow<Watched>>>,
  things: readonly Watched[],
): (readonly [string, string])[] {
  const isWatched = ({ metric, hundredPercent }: AlarmRow<Watched>, watched: Watched) =>
    metric(watched, anySettings) !== undefined &&
    (hundredPercent === undefined || hundredPercent(watched, anySettings.period) !== undefined);
  return Object.entries(rows)
    .filter(([, row]) => !things.some((watched) => isWatched(row, watched)))
    .map(([name, { needs = '' }]) => [name, needs] as const);
}
