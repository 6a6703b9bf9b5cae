/** What the bundle of sagabox weighed at the end of a milestone, in kB of 1,000 bytes. */
export interface RecordedSize {
  /** In UTC: 2026-01-31. */
  readonly date: string;
  readonly kB: number;
  readonly gzipKB: number;
  /** What made it grow since the one before. */
  readonly reason: string;
}

/** By time. Add a line at the end of each milestone, with the figures of `npm run bench -- --only bundle`. */
export const sizeHistory: readonly RecordedSize[] = [
  { date: '2026-11-21', kB: 115.6, gzipKB: 39.3, reason: 'the first recorded one' },
  {
    date: '2026-11-22',
    kB: 141.9,
    gzipKB: 48.9,
    reason:
      'refused states and bodies with path and remedy, and the types of the state without the SDK (8 kB); resumed dispatches (5 kB); checks of options and definitions (4 kB); fingerprints, message sizes, saga versions and discards (4 kB); the run of a record and its deadline (3 kB)',
  },
  {
    date: '2026-11-23',
    kB: 149.8,
    gzipKB: 53.1,
    reason:
      'metrics that the runtime emits by itself, settings in parameters of Systems Manager, destinations and tables by name in the environment',
  },
  {
    date: '2026-11-23',
    kB: 157.9,
    gzipKB: 56.2,
    reason: 'merged commits, records that store once what messages share, compressed states',
  },
  {
    date: '2026-11-23',
    kB: 170.9,
    gzipKB: 60.5,
    reason: 'messages of one saga in one batch that are committed together',
  },
  {
    date: '2026-11-25',
    kB: 190.1,
    gzipKB: 67.4,
    reason:
      'log lines of one form (4 kB) and more errors with cause and remedy (4 kB); contracts and checks of sagas (4 kB); adapters (3 kB); the flow and the middleware (4 kB)',
  },
  {
    date: '2026-11-26',
    kB: 217.5,
    gzipKB: 76.5,
    reason:
      'the embedded outbox: its items (8 kB), the flow (4 kB), the adapters that write, mark and relay them (13 kB), its checks and errors (2 kB)',
  },
  {
    date: '2026-11-27',
    kB: 230.8,
    gzipKB: 81.1,
    reason:
      'values that handlers append to a saga and collect, with their items, checks and errors (9 kB); recoverability that delegates, and marks of redriven messages (2 kB); sagas in a store of your own (2 kB)',
  },
  {
    date: '2026-11-28',
    kB: 272.6,
    gzipKB: 97.1,
    reason:
      'names that the bundler keeps (22 kB); what is refused, masked, escaped and compared as it is written, most of it in what was lib/core (19 kB)',
  },
];
