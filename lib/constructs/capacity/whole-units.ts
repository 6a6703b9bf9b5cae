/** Products of decimals are a little off: 10 x 1.1 units are 11, not 12. */
export function wholeUnits(units: number): number {
  return Math.ceil(Number(units.toPrecision(12)));
}
