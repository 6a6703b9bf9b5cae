const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isUuid(value: string): boolean {
  return uuid.test(value);
}

/** A UUID in 16 bytes, where its 36 characters would be charged with each write. */
export function uuidBytes(value: string): Uint8Array {
  return Buffer.from(value.replaceAll('-', ''), 'hex');
}

export function uuidOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  const hex = Buffer.from(buffer, byteOffset, byteLength).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
