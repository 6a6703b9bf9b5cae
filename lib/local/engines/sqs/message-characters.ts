import { hasSqsCharacters } from '../../../messages/wire-format/sqs-characters.ts';

/**
 * Lets fauxqs take the characters over U+FFFF, such as emoji: SQS takes them, and fauxqs 2.4.1, the newest
 * version, refuses them. A version without the module or the pattern of 2.4.1 is left as it is.
 */
export async function takeEveryCharacter(): Promise<void> {
  const types = new URL('sqs/sqsTypes.js', import.meta.resolve('fauxqs'));
  const { INVALID_MESSAGE_BODY_CHAR: invalid } = await import(types.href).catch(() => ({}));
  if (invalid instanceof RegExp) invalid.test = (body) => !hasSqsCharacters(body);
}
