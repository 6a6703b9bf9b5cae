type Context = Readonly<Record<string, unknown>>;

export const updatedApps = ['sample', 'proof'] as const;

export type UpdatedApp = (typeof updatedApps)[number];

/** A change that is deployed over the running app. */
export interface Update {
  readonly name: string;
  readonly app: UpdatedApp;
  /** What the app is synthesized with from then on, besides that of the updates before. */
  readonly context: Context;
  /** Whether `cdk diff` has to tell of it. It may tell of new paths of constructs, or not. */
  readonly differs: boolean;
  /** Logical ids of resources that come with it; all others stay what they are. */
  readonly adds?: RegExp;
  /** Logical ids of resources that go with it. */
  readonly removes?: RegExp;
}

/** In the order in which they are deployed. */
export const updates: readonly Update[] = [
  {
    name: 'a handler file is renamed',
    app: 'proof',
    context: { renamed: true },
    differs: true,
    // Its alias moves on to a new version.
    adds: /^AuditFunctionCurrentVersion/,
    removes: /^AuditFunctionCurrentVersion/,
  },
  {
    name: 'a subscription is added',
    app: 'proof',
    context: { archive: 'subscribed' },
    differs: true,
    adds: /^Archive/,
  },
  {
    name: 'the stacks move under a stage',
    app: 'sample',
    context: { stage: 'Production' },
    differs: true,
    // CDK gives each permission of a rule an id with its path, and both are there for a moment.
    adds: /AllowEventRuleProduction/,
    removes: /AllowEventRule/,
  },
  {
    name: 'the capacity of tables changes',
    app: 'sample',
    context: { maxWriteRequestUnits: 2_000 },
    differs: true,
  },
  {
    name: 'a subscription is removed',
    app: 'proof',
    context: { archive: 'unsubscribed' },
    differs: true,
    removes: /^ArchiveFrom/,
  },
];

/** Updates that are deployed at the same time, those of an app in one deployment. */
export type Round = readonly Update[];

/** Each update by itself, or in two rounds, of which the second removes what the first made. */
export function roundsOf(each: boolean): Round[] {
  const half = Math.ceil(updates.length / 2);
  return each ? updates.map((update) => [update]) : [updates.slice(0, half), updates.slice(half)];
}

/** What an app is synthesized with when the rounds are deployed. */
export function contextAfter(rounds: readonly Round[], app: UpdatedApp): Context {
  const own = rounds.flat().filter((update) => update.app === app);
  return Object.assign({}, ...own.map(({ context }) => context));
}
