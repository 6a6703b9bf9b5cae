import { randomBytes } from 'node:crypto';

/** Over the 64 KiB from which a body is put in the bucket. */
export const largeText = 'é'.repeat(50_000);

const PAGES = 10;
const PAGE_BYTES = 45_000;

/** Each under those 64 KiB, and together more than an item takes. */
export function incompressiblePages(): string[] {
  return Array.from({ length: PAGES }, () => randomBytes(PAGE_BYTES).toString('base64'));
}
