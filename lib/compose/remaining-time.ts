import type { Context as LambdaContext } from 'aws-lambda';

/** How long an invocation may still take. */
export type RemainingMs = () => number;

/** The remaining time, which is infinite without a Lambda context, as in a test. */
export function remainingTime(
  context: Partial<Pick<LambdaContext, 'getRemainingTimeInMillis'>> | undefined,
): RemainingMs {
  return () => context?.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY;
}
