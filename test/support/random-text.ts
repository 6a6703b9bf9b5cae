// Looking up a global takes long in the context of a test file, and here it is done for each character.
const { floor, imul } = Math;
const { fromCodePoint } = String;

/**
 * Letters, digits and punctuation without order: compression takes about a sixth off it, as off any ASCII
 * text.
 */
export function randomText(bytes: number, seed = 1): string {
  const next = randomNumbers(seed);
  const text = Buffer.alloc(bytes);
  for (let index = 0; index < bytes; index += 1) {
    text[index] = unescapedBytes[floor(next() * unescapedBytes.length)] ?? 0;
  }
  return text.toString('latin1');
}

/** As much as a JSON string can say in so many bytes: compression takes a twentieth off it, no more. */
export function denseText(bytes: number, seed = 1): string {
  const next = randomNumbers(seed);
  const between = ([from, to]: readonly [number, number]) =>
    fromCodePoint(from + floor(next() * (to - from)));
  const parts: string[] = [];
  let left = bytes;
  while (left >= 4) {
    const share = next();
    const range = ranges.find(({ upTo }) => share < upTo);
    parts.push(range ? between(range.codePoints) : (unescaped[floor(next() * unescaped.length)] ?? ''));
    left -= range?.bytes ?? 1;
  }
  return parts.join('') + 'x'.repeat(left);
}

/** What JSON leaves as it is. */
const unescaped = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index)).filter(
  (character) => character !== '"' && character !== '\\',
);

const unescapedBytes = Buffer.from(unescaped.join(''));

/** As often as each of 2, 3 and 4 bytes says most; ASCII for the rest. */
const ranges = [
  { upTo: 0.005, bytes: 4, codePoints: [0x1_0000, 0x11_0000] },
  { upTo: 0.04, bytes: 3, codePoints: [0x800, 0xd800] },
  { upTo: 0.18, bytes: 2, codePoints: [0x80, 0x800] },
] as const;

/**
 * From 0 up to 1, the same in each run. Source of the constants: "Numerical Recipes", on quick generators.
 */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
