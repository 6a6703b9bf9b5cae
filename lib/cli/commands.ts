import type { CommandDefinition } from './command.ts';

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** An AWS client takes longer to load than a plan takes to make: each command loads only what it needs. */
  readonly load: () => Promise<CommandDefinition<never>>;
}

export const commands: readonly CommandEntry[] = [
  {
    name: 'measure',
    summary: 'Runs messages of a workload, and prints the units that they consume beside the planned ones.',
    load: async () => (await import('./measure/measure.ts')).measureCommand,
  },
  {
    name: 'plan',
    summary: 'Prints the units that a workload consumes per message and per second, and its cost per month.',
    load: async () => (await import('./plan/plan.ts')).planCommand,
  },
  {
    name: 'relay',
    summary: "Dispatches what crashed functions left undispatched in an endpoint's outbox.",
    load: async () => (await import('./relay/relay.ts')).relayCommand,
  },
  {
    name: 'redrive',
    summary: 'Moves messages from an error queue or a dead letter queue back to the queues they came from.',
    load: async () => (await import('./redrive/redrive.ts')).redriveCommand,
  },
];
