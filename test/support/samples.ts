/** How many random cases a test draws: all of them in `npm run proofs`, a tenth in `npm test`. */
export const samples = (all: number): number =>
  process.env.SAGABOX_SAMPLES === 'all' ? all : Math.ceil(all / 10);
