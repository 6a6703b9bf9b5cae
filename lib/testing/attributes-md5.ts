import { createHash } from 'node:crypto';
import type { SQSMessageAttributes } from 'aws-lambda';

const STRING_TRANSPORT_TYPE = 1;

/**
 * Of attributes of type String. Source: "Calculating the MD5 message digest for message attributes", Amazon
 * SQS Developer Guide.
 */
export function attributesMd5(attributes: SQSMessageAttributes): string {
  const hash = createHash('md5');
  const addText = (text: string) => {
    const bytes = Buffer.from(text);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.byteLength);
    hash.update(length).update(bytes);
  };
  for (const name of Object.keys(attributes).sort()) {
    addText(name);
    addText(attributes[name]?.dataType ?? '');
    hash.update(Buffer.of(STRING_TRANSPORT_TYPE));
    addText(attributes[name]?.stringValue ?? '');
  }
  return hash.digest('hex');
}
