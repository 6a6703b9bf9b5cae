import { isJsonObject } from '../checks/value-kind.ts';
import { configurationError } from '../failures/errors.ts';
import { describeValue } from '../failures/thrown.ts';
import { assertSchema } from '../handlers/definition-checks.ts';
import { migrationsProblem, type StateMigrations } from './state-versions.ts';

/** Refuses rules that would otherwise fail when a state is read. @throws SagaboxError `Configuration` */
export function assertStateRules(definition: string, stateSchema: unknown, migrate: unknown): void {
  if (stateSchema !== undefined) assertSchema(`${definition}: stateSchema`, stateSchema);
  if (migrate === undefined) return;
  const problem = isJsonObject(migrate)
    ? migrationsProblem(migrate as StateMigrations)
    : `${describeValue(migrate)} is no object`;
  if (problem === undefined) return;
  const remedy = 'Give a function for each version that is still stored, as in { 1: (old) => ({ ...old }) }';
  throw configurationError(`${definition}: migrate`, problem, remedy);
}
