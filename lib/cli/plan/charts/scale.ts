/** Round numbers from 0 up to the first one that is not below the maximum, about `count` of them. */
export function ticksUpTo(maximum: number, count = 5): number[] {
  if (!(maximum > 0) || !Number.isFinite(maximum)) return [0, 1];
  const step = roundStep(maximum / count);
  const steps = Math.ceil(maximum / step - 1e-9);
  return Array.from({ length: steps + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that is not below the width asked for. */
function roundStep(width: number): number {
  const power = 10 ** Math.floor(Math.log10(width));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= width * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** A place between two ends for a value between two others. */
export function linearScale(
  [fromValue, toValue]: readonly [number, number],
  [from, to]: readonly [number, number],
): (value: number) => number {
  const range = toValue - fromValue || 1;
  return (value) => from + ((value - fromValue) / range) * (to - from);
}
