import type { StandardSchemaV1 } from '@standard-schema/spec';
import { FIRST_STATE_VERSION } from '../dynamodb/item-attributes.ts';
import type { SagaIdentity } from '../dynamodb/keys.ts';
import { type ErrorFacts, SagaboxError } from '../kernel/errors/errors.ts';
import { issuesOf } from '../messages/schema.ts';

/** Turns a state of one version into one of the next; it may run again for a state, and has no effects. */
export type StateMigration = {
  // A method, so that its parameter can be annotated with the type of the old state.
  migrate(old: unknown): object | Promise<object>;
}['migrate'];

/** The migrations from each version that is still read to the next, by the version that each begins with. */
export type StateMigrations = Readonly<Record<number, StateMigration>>;

/** The rules of a saga's state. */
export interface StateRules {
  readonly initialState: () => unknown;
  readonly stateSchema?: StandardSchemaV1;
  readonly migrate?: StateMigrations;
  /** The version of the states that the saga writes. @default 1 */
  readonly stateVersion?: number;
}

/** Returns one more than the last version that is migrated. */
export function currentStateVersion(migrate: StateMigrations = {}): number {
  return Math.max(FIRST_STATE_VERSION - 1, ...migratedVersions(migrate)) + 1;
}

/** Returns the problem of migrations; `undefined` for those that lead from each version to the next. */
export function migrationsProblem(migrate: StateMigrations): string | undefined {
  const versions = migratedVersions(migrate).toSorted((one, other) => one - other);
  const odd = Object.entries(migrate).find(([name, migration]) => !isMigration(name, migration));
  if (odd !== undefined) return `'${odd[0]}' is no version with a function`;
  const gap = versions.find((version, index) => index > 0 && version !== (versions[index - 1] ?? 0) + 1);
  return gap === undefined ? undefined : `there is one from version ${gap}, and none from ${gap - 1}`;
}

/**
 * Returns a stored state in its current form, as its schema returns it.
 *
 * @throws SagaboxError `UnknownStateVersion`, `InvalidSagaState`; what a migration or the schema throws
 */
export async function currentState(
  rules: StateRules,
  saga: SagaIdentity,
  stored: { readState(): unknown; readonly stateVersion?: number },
): Promise<unknown> {
  const { stateVersion = FIRST_STATE_VERSION } = stored;
  assertKnownVersion(rules, saga, stateVersion);
  let state = stored.readState();
  for (let version = stateVersion; version < versionOf(rules); version += 1)
    state = await rules.migrate?.[version]?.(state);
  const result = await validate(rules, state);
  if (result.issues === undefined) return result.value;
  throw invalidState(rules, saga, 'read', issuesOf(result));
}

/**
 * Refuses a state that a handler left.
 *
 * @param isNew whether the handler was the first one of its saga, which begins with the initial state
 * @throws SagaboxError `InvalidSagaState`; what the schema throws
 */
export async function assertValidState(
  rules: StateRules,
  saga: SagaIdentity,
  state: unknown,
  isNew: boolean,
): Promise<void> {
  const result = await validate(rules, state);
  if (result.issues === undefined) return;
  const issues = issuesOf(result);
  const isInitial = isNew && (await hasInitially(rules, issues));
  throw invalidState(rules, saga, isInitial ? 'start' : 'write', issues);
}

/** Whether the initial state has these issues. It may have others, which the first handler resolved. */
async function hasInitially(rules: StateRules, issues: readonly string[]): Promise<boolean> {
  const result = await validate(rules, rules.initialState());
  if (result.issues === undefined) return false;
  const initial = issuesOf(result);
  return issues.every((issue) => initial.includes(issue));
}

async function validate(
  { stateSchema }: StateRules,
  state: unknown,
): Promise<StandardSchemaV1.Result<unknown>> {
  return stateSchema === undefined ? { value: state } : await stateSchema['~standard'].validate(state);
}

function invalidState(
  rules: StateRules,
  { name: sagaName, id: sagaId }: SagaIdentity,
  operation: ErrorFacts['InvalidSagaState']['operation'],
  issues: readonly string[],
): SagaboxError<'InvalidSagaState'> {
  const facts = { sagaName, sagaId, stateVersion: versionOf(rules), operation, issues };
  return new SagaboxError('InvalidSagaState', facts);
}

/** Whether handlers may get a stored state in another form than it is stored in. */
export function changesState(rules: StateRules, stateVersion = FIRST_STATE_VERSION): boolean {
  return rules.stateSchema !== undefined || stateVersion !== versionOf(rules);
}

function assertKnownVersion(rules: StateRules, saga: SagaIdentity, stateVersion: number): void {
  const newest = versionOf(rules);
  const oldest = Math.min(newest, ...migratedVersions(rules.migrate ?? {}));
  if (stateVersion >= oldest && stateVersion <= newest) return;
  const { name: sagaName, id: sagaId } = saga;
  throw new SagaboxError('UnknownStateVersion', { sagaName, sagaId, stateVersion, oldest, newest });
}

function versionOf({ stateVersion = FIRST_STATE_VERSION }: StateRules): number {
  return stateVersion;
}

function migratedVersions(migrate: StateMigrations): number[] {
  return Object.keys(migrate).map(Number);
}

function isMigration(name: string, migration: unknown): boolean {
  return /^[1-9]\d{0,8}$/.test(name) && typeof migration === 'function';
}
