import { CfnFunction, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { rendered } from './rendered-size.ts';

/** Source: "Lambda quotas" (environment variables). */
export const MAX_ENVIRONMENT_BYTES = 4096;

/**
 * The bytes of all variables of a function, the user's too, as Lambda counts them: those of the JSON object
 * that they form. Names that are made at deployment count 80 characters.
 *
 * @returns `undefined` for a function whose variables are not known, such as one that is imported
 */
export function environmentBytes(handler: IFunction): number | undefined {
  const variables = environmentVariablesOf(handler);
  return variables && Buffer.byteLength(JSON.stringify(variables));
}

/** With what stands for names that are made at deployment. */
export function environmentVariablesOf(handler: IFunction): Record<string, string> | undefined {
  // An alias or a version stands for the function that it belongs to.
  const { node } = 'lambda' in handler ? (handler as { lambda: IFunction }).lambda : handler;
  const resource = node.defaultChild;
  if (!(resource instanceof CfnFunction)) return undefined;
  const environment = rendered(resource, resource.environment) as
    | { variables?: Record<string, string> }
    | undefined;
  return environment?.variables ?? {};
}
