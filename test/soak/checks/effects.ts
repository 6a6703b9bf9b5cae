/** What is wrong with the effects of one message. */
export interface Effects {
  readonly lost: string[];
  readonly appliedTwice: string[];
  readonly torn: string[];
}

export function noEffects(): Effects {
  return { lost: [], appliedTwice: [], torn: [] };
}
