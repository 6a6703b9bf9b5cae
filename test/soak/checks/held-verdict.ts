import type { Verdict } from './judge.ts';

/** Of a round in which all held. */
export const heldVerdict: Verdict = {
  lost: [],
  appliedTwice: [],
  torn: [],
  changedIds: [],
  uncommitted: [],
  undispatched: [],
  givenUp: [],
};
