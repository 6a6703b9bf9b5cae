import { type Duration, Token } from 'aws-cdk-lib';
import { isRelayStrategy, type RelayStrategy } from '../../core/outbox/relay-defaults.ts';
import { functionTimeoutViolation } from '../endpoint/endpoint-rules.ts';

/** What the rules of a relay look at, its defaults filled in. */
export interface RelayFacts {
  readonly every: Duration;
  readonly olderThan: Duration;
  readonly strategy: RelayStrategy;
  readonly maxReadUnitsPerSecond: number;
  readonly functionTimeout: Duration;
  /** Of the function whose records are relayed. */
  readonly endpointFunctionTimeout: Duration;
}

/** @returns cause and remedy when the rule is violated */
type Rule = (facts: RelayFacts) => string | undefined;

const rules: readonly Rule[] = [
  function everyIsInWholeMinutes({ every }) {
    if (isRateOfSchedule(every)) return undefined;
    return `every: ${secondsOf(every)} s is no rate of EventBridge. Use a whole number of minutes, from 1.`;
  },

  function olderThanIsInWholeSeconds({ olderThan }) {
    if (olderThan.isUnresolved() || isWhole(olderThan.toMilliseconds(), 1000)) return undefined;
    return `olderThan: ${olderThan.toMilliseconds()} ms is out of range. Use a whole number of seconds, from 1.`;
  },

  function olderThanOutlastsTheFunction({ olderThan, endpointFunctionTimeout }) {
    const seconds = secondsOf(olderThan);
    const timeout = secondsOf(endpointFunctionTimeout);
    if (seconds === undefined || timeout === undefined || seconds >= timeout) return undefined;
    return (
      `olderThan: ${seconds} s is less than the timeout of ${timeout} s of the endpoint's function, so that what it is ` +
      `about to dispatch would be dispatched twice. Use at least ${timeout} s.`
    );
  },

  function strategyIsKnown({ strategy }) {
    if (isRelayStrategy(strategy)) return undefined;
    return `strategy: '${strategy}' is not known. Use 'index' or 'scan'.`;
  },

  function readUnitsArePositive({ maxReadUnitsPerSecond: units }) {
    if (Token.isUnresolved(units) || (Number.isFinite(units) && units > 0)) return undefined;
    return `maxReadUnitsPerSecond: ${units} is out of range. Use a number above 0.`;
  },

  function functionTimeoutIsInRange({ functionTimeout }) {
    return functionTimeoutViolation(secondsOf(functionTimeout));
  },
];

/** All violations at once, each with its cause and its remedy. */
export function relayViolations(facts: RelayFacts): string[] {
  return rules.map((rule) => rule(facts)).filter((violation) => violation !== undefined);
}

/** Source: "Creating a rule that runs on a schedule in Amazon EventBridge" (rate expressions). */
export function isRateOfSchedule(every: Duration): boolean {
  return every.isUnresolved() || isWhole(every.toMilliseconds(), 60_000);
}

/** `undefined` for a duration that is known only at deployment. */
function secondsOf(duration: Duration): number | undefined {
  return duration.isUnresolved() ? undefined : duration.toMilliseconds() / 1000;
}

function isWhole(milliseconds: number, unitMilliseconds: number): boolean {
  return milliseconds > 0 && milliseconds % unitMilliseconds === 0;
}
