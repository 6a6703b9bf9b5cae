import { headerNames } from '../headers.ts';
import { asJsonObject } from './json-values.ts';
import type { MessageHeaders } from './reading.ts';

/** The attributes of Amazon's extended clients for SQS and SNS: of today, and of their first versions. */
const sizeAttributes = ['ExtendedPayloadSize', 'SQSLargePayloadSize'] as const;

/**
 * Whether a body only points to a body in S3, which is not loaded: a sender would choose what is read with
 * the rights of the function. Source: "Amazon SQS Extended Client Library for Java".
 */
export function isBodyInS3(value: unknown, attributes: MessageHeaders): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [className, place] = value;
  const { s3BucketName, s3Key } = asJsonObject(place) ?? {};
  const isPointer = typeof className === 'string' && className.endsWith('S3Pointer');
  if (!isPointer || typeof s3BucketName !== 'string' || typeof s3Key !== 'string') return false;
  const isExtended = sizeAttributes.some((name) => attributes[name] !== undefined);
  return isExtended || !attributes[headerNames.messageType];
}
