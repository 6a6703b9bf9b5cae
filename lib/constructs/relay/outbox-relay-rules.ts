import type { Duration } from 'aws-cdk-lib';
import type { RelayStrategy } from '../../relay/relay-defaults.ts';

/** What the rules of a relay look at, its defaults filled in. */
export interface RelayFacts {
  readonly every: Duration;
  readonly olderThan: Duration;
  readonly strategy: RelayStrategy;
  readonly maxReadUnitsPerSecond: number;
  readonly functionTimeout: Duration;
  readonly endpoints: readonly RelayedEndpointFacts[];
  readonly tables: readonly SearchedTableFacts[];
}

/** What they look at of an endpoint. */
export interface RelayedEndpointFacts {
  readonly path: string;
  /** Where both are, if the endpoint is of another account, region or Stage than the relay. */
  readonly elsewhere: string | undefined;
  readonly functionTimeout: Duration;
  /** The path of its outbox table, and whether it is that of the first endpoint; undefined without an outbox. */
  readonly outboxTable: { readonly path: string; readonly isShared: boolean } | undefined;
}

/** What they look at of a table that the relay searches. */
export interface SearchedTableFacts {
  readonly path: string;
  readonly hasStream: boolean;
  /** Where its stream is, if the relay is elsewhere. */
  readonly streamElsewhere: string | undefined;
}

/** @returns cause and remedy when the rule is violated */
type Rule = (facts: RelayFacts) => string | undefined;

/** Half of the time that a run may see unread. */
const LONGEST_UNWATCHED_SECONDS = 43_200;

export const relayRules: readonly Rule[] = [
  function thereAreEndpoints({ endpoints }) {
    if (endpoints.length > 0) return undefined;
    return 'endpoints: there are none, so that nothing would be relayed. Give one at least.';
  },

  function endpointsAreGivenOnce({ endpoints }) {
    const paths = endpoints.map(({ path }) => path);
    const twice = paths.filter((path, index) => paths.indexOf(path) !== index);
    if (twice.length === 0) return undefined;
    return `endpoints: ${named(twice)} given more than once. Give each once.`;
  },

  function endpointsAreWhereTheRelayIs({ endpoints }) {
    const elsewhere = endpoints.map((endpoint) => endpoint.elsewhere).filter((each) => each !== undefined);
    if (elsewhere.length === 0) return undefined;
    return `endpoints: ${elsewhere.join('; ')}. Make a relay in each account and region, for the endpoints there.`;
  },

  function endpointsHaveAnOutbox({ endpoints }) {
    const without = endpoints.filter(({ outboxTable }) => outboxTable === undefined);
    if (without.length === 0) return undefined;
    return (
      `endpoints: ${named(without.map(({ path }) => path))} without an outboxTable, so that there is nothing to relay. ` +
      'Give each an outboxTable, or leave it out.'
    );
  },

  function endpointsShareTheTable({ endpoints }) {
    const other = endpoints.find(({ outboxTable }) => outboxTable?.isShared === false);
    const first = endpoints.find(({ outboxTable }) => outboxTable?.isShared);
    if (other === undefined || first === undefined) return undefined;
    return (
      `endpoints: '${first.path}' keeps its records in '${first.outboxTable?.path}', and '${other.path}' in ` +
      `'${other.outboxTable?.path}'. Make a relay for each table.`
    );
  },

  function tablesHaveStreams({ strategy, tables }) {
    const without = tables.filter(({ hasStream }) => !hasStream);
    if (strategy !== 'stream' || without.length === 0) return undefined;
    return (
      `strategy: it is 'stream', and ${named(without.map(({ path }) => path))} without a stream, so that nothing would be ` +
      'found there. Make the table with relayStream, turn the stream of your own table on, import the table with its ' +
      "tableStreamArn, or use 'scan'."
    );
  },

  function streamsAreWhereTheRelayIs({ strategy, tables }) {
    const elsewhere = tables.filter(({ streamElsewhere }) => streamElsewhere !== undefined);
    if (strategy !== 'stream' || elsewhere.length === 0) return undefined;
    const streams = elsewhere.map(
      ({ path, streamElsewhere }) => `that of '${path}' is in ${streamElsewhere}`,
    );
    return (
      `strategy: it is 'stream', and a relay reads streams of its own account and region: ${streams.join('; ')}. ` +
      "Use 'scan'."
    );
  },

  function runsSeeTheStreamEachDay({ strategy, every }) {
    const seconds = secondsOf(every);
    if (strategy !== 'stream' || seconds === undefined || seconds <= LONGEST_UNWATCHED_SECONDS)
      return undefined;
    return (
      `every: ${seconds} s is too long for the strategy 'stream': a stream keeps changes for a day, and a run that nobody ` +
      `made for so long cannot tell whether they were read. Use at most ${LONGEST_UNWATCHED_SECONDS} s.`
    );
  },

  function olderThanOutlastsTheFunctions({ olderThan, endpoints }) {
    const seconds = secondsOf(olderThan);
    const [slowest] = endpoints
      .map(({ path, functionTimeout }) => ({ path, timeout: secondsOf(functionTimeout) ?? 0 }))
      .sort((one, other) => other.timeout - one.timeout);
    if (seconds === undefined || slowest === undefined || seconds >= slowest.timeout) return undefined;
    return (
      `olderThan: ${seconds} s is less than the timeout of ${slowest.timeout} s of the function of '${slowest.path}', so that ` +
      `what it is about to dispatch would be dispatched twice. Use at least ${slowest.timeout} s.`
    );
  },

  function runFitsIntoInterval({ functionTimeout, every }) {
    const timeout = secondsOf(functionTimeout);
    const interval = secondsOf(every);
    if (timeout === undefined || interval === undefined || timeout <= interval) return undefined;
    return (
      `functionTimeout: ${timeout} s is longer than the ${interval} s of every, so that each run could overlap the next ` +
      `and search at the same time. Use at most ${interval} s, or a longer every.`
    );
  },
];

/** All violations at once, each with its cause and its remedy. */
export function relayViolations(facts: RelayFacts): string[] {
  return relayRules.map((rule) => rule(facts)).filter((violation) => violation !== undefined);
}

function named(paths: readonly string[]): string {
  const quoted = paths.map((path) => `'${path}'`);
  return `${quoted.join(', ')} ${quoted.length === 1 ? 'is' : 'are'}`;
}

/** `undefined` for a duration that is known only at deployment. */
function secondsOf(duration: Duration): number | undefined {
  return duration.isUnresolved() ? undefined : duration.toMilliseconds() / 1000;
}
