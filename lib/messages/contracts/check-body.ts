import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { OutgoingMessage } from '../message.ts';
import { issuesOf } from '../schema.ts';
import { refuserOf } from './refusal.ts';

/** What contracts look at. */
export type CheckedMessage = Pick<OutgoingMessage, 'destination' | 'type' | 'body'>;

/** Of a copy: what is sent is the body as it was given, whatever a schema does to what it is given. */
export function checkBody(schema: StandardSchemaV1, message: CheckedMessage): Promise<void> | undefined {
  const validation = schema['~standard'].validate(structuredClone(message.body));
  if ('then' in validation) return validation.then((result) => assertValid(result, message));
  assertValid(validation, message);
  return undefined;
}

function assertValid(result: StandardSchemaV1.Result<unknown>, { type, destination }: CheckedMessage): void {
  if (result.issues === undefined) return;
  const issues = issuesOf(result);
  refuserOf(type, destination, { issues })(`its body does not fit its schema: ${issues.join('; ')}`);
}
