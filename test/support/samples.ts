/** Whether `npm run proofs` runs, which tries all cases; `npm test` tries some of them. */
const triesAll = process.env.SAGABOX_SAMPLES === 'all';

/** How many random cases a test draws: all of them in `npm run proofs`, a tenth in `npm test`. */
export const samples = (all: number): number => (triesAll ? all : Math.ceil(all / 10));

/** Parameters of fast-check: so many cases, the same in each run. */
export const sampled = (all: number, seed = 20260102): { seed: number; numRuns: number } => ({
  seed,
  numRuns: samples(all),
});

/** The cells of a grid that a test tries: all of them in `npm run proofs`, those that are picked in `npm test`. */
export const cells = <T>(all: readonly T[], isPicked: (cell: T) => boolean): readonly T[] =>
  triesAll ? all : all.filter(isPicked);
