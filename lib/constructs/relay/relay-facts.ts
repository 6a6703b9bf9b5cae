import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { unsetFunctionTimeout } from '../endpoint/endpoint-settings.ts';
import { renderedTimeoutSeconds } from '../endpoint/rendered-settings.ts';
import { elsewhereProblem } from '../places.ts';
import { isSameTable } from '../tables/same-table.ts';
import { foreignStreamProblem } from '../tables/table-place.ts';
import { streamOf } from '../tables/table-stream.ts';
import { searchedTables } from './embedded-endpoints.ts';
import { type OutboxRelayProps, outboxRelayDefaults } from './outbox-relay-props.ts';
import type { RelayFacts } from './outbox-relay-rules.ts';
import { longestRun } from './relay-timings.ts';
import type { RelayedEndpoint } from './relayed-endpoint.ts';

/** With what the relay goes on with where a setting is missing. */
export function relayFacts(relay: Construct, props: Partial<OutboxRelayProps>): RelayFacts {
  const { endpoints = [], every = outboxRelayDefaults.every } = props;
  const [table] = tablesOf(endpoints);
  const hasStream = table !== undefined && streamOf(table) !== undefined;
  return {
    every,
    olderThan: props.olderThan ?? outboxRelayDefaults.olderThan,
    strategy: props.strategy ?? (hasStream ? 'stream' : 'scan'),
    maxReadUnitsPerSecond: props.maxReadUnitsPerSecond ?? outboxRelayDefaults.maxReadUnitsPerSecond,
    functionTimeout: props.functionTimeout ?? longestRun(every),
    endpoints: endpoints.map((endpoint) => {
      const { node, outboxTable } = endpoint;
      return {
        path: node.path,
        elsewhere: elsewhereProblem(relay, endpoint),
        functionTimeout: functionTimeoutOf(endpoint),
        outboxTable: outboxTable && {
          path: outboxTable.node.path,
          isShared: isSameTable(outboxTable, table),
        },
      };
    }),
    tables: searchedTables(endpoints).map((each) => {
      const stream = streamOf(each);
      return {
        path: each.node.path,
        hasStream: stream !== undefined,
        streamElsewhere: stream && foreignStreamProblem(relay, each, stream),
      };
    }),
  };
}

function functionTimeoutOf(endpoint: RelayedEndpoint): Duration {
  if (!('queue' in endpoint)) return endpoint.longestFunctionTimeout;
  const seconds = renderedTimeoutSeconds(endpoint.function);
  return seconds === undefined
    ? (endpoint.function.timeout ?? unsetFunctionTimeout)
    : Duration.seconds(seconds);
}

export function tablesOf(endpoints: readonly RelayedEndpoint[]) {
  return endpoints.map(({ outboxTable }) => outboxTable).filter((table) => table !== undefined);
}
