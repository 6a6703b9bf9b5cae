/** An attribute value as it goes over the wire: like `AttributeValue`, but binary is base64 text. */
export type WireItem = Readonly<Record<string, unknown>>;

/** The same item with its binary values decoded. */
export function fromWire(item: WireItem): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, decode(value)]));
}

function decode(value: unknown): unknown {
  const { B: binary, BS: binaries, L: list, M: map } = value as WireItem;
  if (typeof binary === 'string') return { B: Buffer.from(binary, 'base64') };
  if (Array.isArray(binaries)) return { BS: binaries.map((text: string) => Buffer.from(text, 'base64')) };
  if (Array.isArray(list)) return { L: list.map(decode) };
  if (typeof map === 'object' && map !== null) return { M: fromWire(map as WireItem) };
  return value;
}
