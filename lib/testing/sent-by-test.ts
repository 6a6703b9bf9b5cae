import { utf8Bytes } from '../dynamodb/item-size.ts';
import { limits } from '../kernel/limits.ts';
import { refuserOf } from '../messages/contracts/refusal.ts';
import { hasSqsCharacters } from '../messages/wire-format/sqs-characters.ts';
import { stringAttribute, wireAttributesBytes } from '../messages/wire-format/wire-attributes.ts';
import { wireJson } from '../messages/wire-format/wire-json.ts';
import { bodyJson } from '../sending/body-json.ts';

/**
 * Returns the JSON of a body that a test sends. Refuses what no sender could put into a queue; what the endpoint
 * would refuse passes, as that may be under test.
 *
 * @param attributes all of type String
 * @throws SagaboxError `InvalidOutgoingMessage` for a body that JSON would change, and for what SQS refuses
 */
export function bodySentByTest(
  type: string,
  destination: string,
  body: unknown,
  attributes: Readonly<Record<string, string>>,
): string {
  const refuse = refuserOf(type, destination);
  const value = body === undefined ? {} : body;
  bodyJson(value, refuse);
  const json = wireJson(value);
  const named = Object.entries(attributes);
  if (named.length > limits.messageAttributes)
    refuse(`it has ${named.length} attributes, over the ${limits.messageAttributes} of SQS`);
  for (const [name, value] of named) {
    if (typeof value !== 'string' || value === '' || !hasSqsCharacters(value))
      refuse(`SQS takes no attribute '${name}' that is empty, no string, or has control characters`);
  }
  const wired = Object.fromEntries(named.map(([name, value]) => [name, stringAttribute(value)]));
  const bytes = utf8Bytes(json) + wireAttributesBytes(wired);
  if (bytes > limits.messageBytes)
    refuse(`it takes ${bytes} bytes, over the ${limits.messageBytes} of SQS: keep large data elsewhere`);
  return json;
}
