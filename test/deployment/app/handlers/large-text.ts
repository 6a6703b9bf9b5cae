/** Over the 64 KiB from which a body is put in the bucket. */
export const largeText = 'é'.repeat(50_000);
