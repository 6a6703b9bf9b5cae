import type { MessageAttributeValue } from '@aws-sdk/client-sqs';
import type { WireAttribute, WireAttributes } from '../messages/wire-format/wire-attributes.ts';

export function toMessageAttributes(attributes: WireAttributes): Record<string, MessageAttributeValue> {
  return mapValues(attributes, ({ dataType, stringValue, binaryValue }) => ({
    DataType: dataType,
    ...(stringValue === undefined
      ? { BinaryValue: Buffer.from(binaryValue ?? '', 'base64') }
      : { StringValue: stringValue }),
  }));
}

export function fromMessageAttributes(
  attributes: Readonly<Record<string, MessageAttributeValue>> = {},
): WireAttributes {
  return mapValues(
    attributes,
    ({ DataType, StringValue, BinaryValue }): WireAttribute => ({
      dataType: DataType ?? 'String',
      ...(StringValue === undefined
        ? { binaryValue: Buffer.from(BinaryValue ?? []).toString('base64') }
        : { stringValue: StringValue }),
    }),
  );
}

function mapValues<A, B>(object: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}
