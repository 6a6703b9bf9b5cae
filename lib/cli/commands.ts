import type { CommandDefinition } from './command.ts';

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** An AWS client takes longer to load than a plan takes to make: each command loads only what it needs. */
  readonly load: () => Promise<CommandDefinition<never>>;
}

export const commands: readonly CommandEntry[] = [
  {
    name: 'contracts',
    summary: 'Lists the contracts that modules export, or writes them as an AsyncAPI document.',
    load: async () => (await import('./contracts/contracts.ts')).contractsCommand,
  },
  {
    name: 'list',
    summary: 'Lists the sagas of a name, in pages, and says before what the scan of their table takes.',
    load: async () => (await import('./list/list.ts')).listCommand,
  },
  {
    name: 'local',
    summary: 'Runs a synthesized app on this machine until it is interrupted, and prints what happens.',
    load: async () => (await import('./local/local.ts')).localCommand,
  },
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
  {
    name: 'show',
    summary:
      'Prints a saga: state, version, lease and timeouts, and the outbox records of its endpoint if asked for.',
    load: async () => (await import('./show/show.ts')).showCommand,
  },
];
