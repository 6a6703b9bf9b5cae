import type { StandardSchemaV1 } from '@standard-schema/spec';
import { SagaboxError } from '../failures/errors.ts';
import { issuesOf } from '../handlers/schema.ts';
import { FIRST_STATE_VERSION } from '../storage/item-attributes.ts';
import type { SagaIdentity } from '../storage/keys.ts';

/** From the state of one version to that of the next; it may run again for the same state, and has no effects. */
export type StateMigration = {
  // As a method: its parameter can then be annotated with the type of the old state.
  migrate(old: unknown): object | Promise<object>;
}['migrate'];

/** Of each version that is still read, from the first of them on, how its state becomes one of the next. */
export type StateMigrations = Readonly<Record<number, StateMigration>>;

/** What a saga says of its state. */
export interface StateRules {
  readonly initialState: () => unknown;
  readonly stateSchema?: StandardSchemaV1;
  readonly migrate?: StateMigrations;
  /** Of the states that it writes. @default 1 */
  readonly stateVersion?: number;
}

/** One more than the last version that is migrated. */
export function currentStateVersion(migrate: StateMigrations = {}): number {
  return Math.max(FIRST_STATE_VERSION - 1, ...migratedVersions(migrate)) + 1;
}

/** What is wrong with migrations, and with which; undefined for those that lead from each version to the next. */
export function migrationsProblem(migrate: StateMigrations): string | undefined {
  const versions = migratedVersions(migrate).toSorted((one, other) => one - other);
  const odd = Object.entries(migrate).find(([name, migration]) => !isMigration(name, migration));
  if (odd !== undefined) return `'${odd[0]}' is no version with a function`;
  const gap = versions.find((version, index) => index > 0 && version !== (versions[index - 1] ?? 0) + 1);
  return gap === undefined ? undefined : `there is one from version ${gap}, and none from ${gap - 1}`;
}

/**
 * A stored state in its current form, as its schema returns it.
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
  return await validState(rules, saga, state, 'read');
}

/**
 * The state as the schema returns it.
 *
 * @param operation `write`: the state is the one that a handler left
 * @throws SagaboxError `InvalidSagaState`; what the schema throws
 */
export async function validState(
  { stateSchema, stateVersion = FIRST_STATE_VERSION }: StateRules,
  { name: sagaName, id: sagaId }: SagaIdentity,
  state: unknown,
  operation: 'read' | 'write',
): Promise<unknown> {
  if (stateSchema === undefined) return state;
  const result = await stateSchema['~standard'].validate(state);
  if (result.issues === undefined) return result.value;
  const issues = issuesOf(result);
  throw new SagaboxError('InvalidSagaState', { sagaName, sagaId, stateVersion, operation, issues });
}

/** Whether a stored state is given to handlers as something else than it is stored as. */
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
