/** Rounded up, so that what expires then does not expire too early. */
export function epochSeconds(date: Date): number {
  return Math.ceil(date.getTime() / 1000);
}
