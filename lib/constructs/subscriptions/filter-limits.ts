import type { SubscriptionFilter } from 'aws-cdk-lib/aws-sns';

/** Source: "Filter policy constraints in Amazon SNS". */
const filterLimits = { attributes: 5, combinations: 150, bytes: 262_144 } as const;

/** @returns cause and remedy when SNS would refuse the filter */
export function filterProblem(
  filterPolicy: Readonly<Record<string, SubscriptionFilter>>,
): { readonly problem: string; readonly remedy: string } | undefined {
  const conditions = Object.entries(filterPolicy).map(([name, filter]) => [name, filter.conditions] as const);
  const combinations = conditions.reduce((product, [, values]) => product * values.length, 1);
  const bytes = Buffer.byteLength(JSON.stringify(Object.fromEntries(conditions)));
  if (conditions.length > filterLimits.attributes) {
    return {
      problem: `the filter has ${conditions.length} attributes, and SNS takes ${filterLimits.attributes}`,
      remedy: 'Filter by fewer attributes, or in the handler',
    };
  }
  if (combinations > filterLimits.combinations) {
    return {
      problem: `the values of the filter have ${combinations} combinations, and SNS takes ${filterLimits.combinations}`,
      remedy: 'Name fewer message types or values, use a prefix, or publish to more than one topic',
    };
  }
  if (bytes <= filterLimits.bytes) return undefined;
  return {
    problem: `the filter has ${bytes} bytes, and SNS takes ${filterLimits.bytes}`,
    remedy: 'Use shorter values, or filter in the handler',
  };
}
