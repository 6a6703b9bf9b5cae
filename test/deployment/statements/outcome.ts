import type { Statement } from './statement.ts';

export interface Outcome {
  readonly statement: Statement;
  /** The call that was denied without it; undefined when nothing noticed. */
  readonly denied: string | undefined;
  readonly seconds: number;
}

/** Statements that the emulator or the load cannot show to be needed. */
export const notShown: readonly {
  readonly matches: (statement: Statement) => boolean;
  readonly reason: string;
}[] = [
  {
    matches: ({ actions }) => actions.every((action) => action.startsWith('logs:')),
    reason: 'the emulator does not ask for the permission to write logs',
  },
  {
    matches: ({ actions }) => actions.every((action) => action.startsWith('kms:')),
    reason: 'the emulator does not evaluate the use of keys by services',
  },
  {
    matches: ({ kind, name }) => kind === 'queue' && /DeadLetterQueue|UndeliveredQueue/.test(name),
    reason: 'a topic and a rule use it for what they cannot deliver; the emulator drops that',
  },
  {
    matches: ({ name, resources }) =>
      name.includes('/Scheduler/Role') && resources.includes('DeadLetterQueue'),
    reason: 'a schedule uses it for what it cannot send, which the load does not bring about',
  },
];

export function reasonNotShown(statement: Statement): string | undefined {
  return notShown.find(({ matches }) => matches(statement))?.reason;
}

export function outcomeLines(outcomes: readonly Outcome[]): string[] {
  return outcomes.map(({ statement, denied }) => {
    if (denied !== undefined) return `${statement.name}  denied: ${denied}`;
    const reason = reasonNotShown(statement);
    return reason === undefined
      ? `${statement.name}  NEVER NEEDED`
      : `${statement.name}  not shown: ${reason}`;
  });
}

export function outcomeComplaints(outcomes: readonly Outcome[]): string[] {
  return outcomes
    .filter(({ statement, denied }) => denied === undefined && reasonNotShown(statement) === undefined)
    .map(({ statement }) => `${statement.name} was never needed`);
}
