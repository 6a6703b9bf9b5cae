import { isDeepStrictEqual } from 'node:util';
import type { FunctionDefinition } from '../lambda/function-definition.ts';
import type { LocalResource } from './resources/model.ts';

/** What an app consists of, as a synth wrote it. */
export interface DeclaredApp {
  readonly resources: readonly LocalResource[];
  readonly functions: readonly FunctionDefinition[];
}

/** What another synth changed. */
export interface AppChanges {
  /** Functions with other code, variables or limits. */
  readonly functions: readonly FunctionDefinition[];
  /** Everything else that differs, came or went, as `Stack.LogicalId`: only another start runs it. */
  readonly needRestart: readonly string[];
}

export function changesOf(before: DeclaredApp, after: DeclaredApp): AppChanges {
  const old = new Map(before.functions.map((definition) => [definition.name, definition]));
  const functions = after.functions.filter(
    (definition) => old.has(definition.name) && !isDeepStrictEqual(old.get(definition.name), definition),
  );
  const [others, newOthers] = [before, after].map(
    ({ resources }) => new Map(resources.map((one) => [idOf(one), comparable(one)])),
  ) as [Map<string, unknown>, Map<string, unknown>];
  const ids = new Set([...others.keys(), ...newOthers.keys()]);
  return {
    functions,
    needRestart: [...ids].filter((id) => !isDeepStrictEqual(others.get(id), newOthers.get(id))),
  };
}

/** The app with one of its functions replaced. */
export function withFunction(
  { resources, functions }: DeclaredApp,
  replaced: FunctionDefinition,
): DeclaredApp {
  return { resources, functions: functions.map((one) => (one.name === replaced.name ? replaced : one)) };
}

function idOf({ stack, logicalId }: LocalResource): string {
  return `${stack.name}.${logicalId}`;
}

/** A function is replaced as it is, and has the values of parameters in its variables. */
function comparable({ type, name, properties }: LocalResource): unknown {
  const isInFunctions = type === 'AWS::Lambda::Function' || type === 'AWS::SSM::Parameter';
  return isInFunctions ? { type, name } : { type, name, properties };
}
