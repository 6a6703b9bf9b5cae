import type { Command } from './command.ts';

export interface CommandEntry {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Clients of AWS take longer to load than a plan to make, so each command brings only what it needs. */
  readonly load: () => Promise<Command>;
}

export const commands: readonly CommandEntry[] = [
  {
    name: 'measure',
    summary: 'runs a workload, and prints what it takes beside what was planned',
    load: async () => (await import('./measure/measure.ts')).measureCommand,
  },
  {
    name: 'plan',
    summary: 'tells what a workload takes of the tables, and what that costs',
    load: async () => (await import('./plan/plan.ts')).planCommand,
  },
  {
    name: 'relay',
    summary: 'dispatches what functions that died left undispatched in an outbox',
    load: async () => (await import('./relay/relay.ts')).relayCommand,
  },
  {
    name: 'redrive',
    summary: 'moves messages from an error queue or a dead letter queue back to where they came from',
    load: async () => (await import('./redrive/redrive.ts')).redriveCommand,
  },
];
