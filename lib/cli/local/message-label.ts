import { readLabel } from '../../messages/envelope/read-record.ts';

/** How people know a message; `undefined` for what it does not say. */
export interface MessageLabel {
  readonly id: string | undefined;
  readonly type: string | undefined;
}

/** @param headers message attributes; those that are no strings say nothing */
export function messageLabel(
  body: string,
  headers: readonly (readonly [name: string, value: unknown])[],
): MessageLabel {
  const strings = headers.filter(([, value]) => typeof value === 'string');
  const messageAttributes = Object.fromEntries(
    strings.map(([name, value]) => [name, { stringValue: value as string }]),
  );
  const { id, type } = readLabel({ messageId: '', body, messageAttributes });
  return { id, type };
}
