import { createHash } from 'node:crypto';
import { claimCheckDefaults } from './claim-check-defaults.ts';

const MAX_SEGMENT_LENGTH = 200;

/** Where the bodies that an endpoint stores in the bucket are kept, for the constructs and the runtime. */
export function claimCheckFolder(endpoint: string): string {
  return `${claimCheckDefaults.keyPrefix}/${keySegment(endpoint)}`;
}

/** Names of endpoints may have slashes and dots, and be longer than a key of S3. */
export function keySegment(name: string): string {
  const escaped = encodeURIComponent(name).replaceAll('.', '%2E');
  const isShort = escaped.length <= MAX_SEGMENT_LENGTH;
  return isShort ? escaped : createHash('sha256').update(name).digest('hex');
}

/** Whether {@link keySegment} could have made it. */
export function isKeySegment(value: string): boolean {
  return value.length <= MAX_SEGMENT_LENGTH && /^[\w%!~*'()-]+$/.test(value);
}
