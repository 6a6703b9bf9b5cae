import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 } as const;

/** Any character that UTF-8 can write. */
const character = fc
  .nat(0x10_ffff - SURROGATES.count)
  .map((index) => String.fromCodePoint(index < SURROGATES.from ? index : index + SURROGATES.count));

/**
 * Any text, and more often one of ASCII, among which are names that objects inherit. The unit 'binary' of
 * fast-check lists all of Unicode in each test file, which takes a second.
 */
export function anyText(constraints: fc.StringSharedConstraints = {}): fc.Arbitrary<string> {
  return fc.oneof(fc.string({ ...constraints, unit: character }), fc.string(constraints));
}
