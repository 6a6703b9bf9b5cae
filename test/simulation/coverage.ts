/** How often each thing happened, over all runs: what never happens is not tested. */
export class Coverage {
  readonly counts = new Map<string, number>();

  add(name: string, by = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + by);
  }

  of(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  /** A line for each, in the order of their names. */
  table(): string {
    const lines = [...this.counts].sort(([one], [other]) => one.localeCompare(other));
    const widest = Math.max(0, ...lines.map(([name]) => name.length));
    return lines
      .map(([name, count]) => `  ${name.padEnd(widest)}  ${count.toLocaleString('en').padStart(13)}`)
      .join('\n');
  }
}
