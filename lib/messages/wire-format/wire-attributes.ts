import { utf8Bytes } from '../../dynamodb/item-size.ts';

/** A message attribute as an SQS record of Lambda has it. */
export interface WireAttribute {
  readonly dataType: string;
  readonly stringValue?: string | undefined;
  /** In base64. */
  readonly binaryValue?: string | undefined;
}

export type WireAttributes = Readonly<Record<string, WireAttribute>>;

/** Bytes that count against the limit of a message: each attribute's name, type and value. */
export function wireAttributesBytes(attributes: WireAttributes): number {
  let bytes = 0;
  for (const [name, { dataType, stringValue, binaryValue }] of Object.entries(attributes)) {
    const valueBytes =
      stringValue === undefined ? Buffer.byteLength(binaryValue ?? '', 'base64') : utf8Bytes(stringValue);
    bytes += utf8Bytes(name) + utf8Bytes(dataType) + valueBytes;
  }
  return bytes;
}

/** Those of a received message; what SQS cannot have sent is left out. */
export function receivedAttributes(messageAttributes: unknown): WireAttributes {
  const attributes = Object.entries(messageAttributes ?? {}).filter((entry) => isWireAttribute(entry[1]));
  return Object.fromEntries(attributes);
}

export function isWireAttribute(value: unknown): value is WireAttribute {
  const { dataType, stringValue, binaryValue } = Object(value) as Partial<
    Record<keyof WireAttribute, unknown>
  >;
  return typeof dataType === 'string' && typeof (stringValue ?? binaryValue) === 'string';
}

export function stringAttribute(stringValue: string): WireAttribute {
  return { dataType: 'String', stringValue };
}
