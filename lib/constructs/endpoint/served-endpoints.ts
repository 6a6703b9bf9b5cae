import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

const endpointsOfFunctions = new WeakMap<IFunction, Set<Construct>>();

/** Remembers whose endpoint the environment of a function names. */
export function serve(endpoint: Construct, handler: IFunction): void {
  const known = endpointsOfFunctions.get(handler) ?? new Set();
  endpointsOfFunctions.set(handler, known.add(endpoint));
}

/** The other endpoints that were given the same function. */
export function otherEndpointsOf(handler: IFunction, endpoint: Construct): readonly Construct[] {
  return [...(endpointsOfFunctions.get(handler) ?? [])].filter((other) => other !== endpoint);
}
