import { Token } from 'aws-cdk-lib';

/** Whether the value is known before the deployment. */
export function isKnown(value: unknown): boolean {
  return !Token.isUnresolved(value);
}
