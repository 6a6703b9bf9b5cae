import { SagaboxError } from '../../kernel/errors/errors.ts';
import { dynamoDBLocal } from './dynamodb-local/program.ts';
import { dynoxide } from './dynoxide.ts';
import type { EngineProblem, EngineProgram, EngineSource } from './program.ts';

/** The address of an engine that runs already: it wins over every other one. */
export const endpointVariable = 'SAGABOX_DYNAMODB_ENDPOINT';
/** The name of the engine to start. */
export const engineVariable = 'SAGABOX_DYNAMODB_ENGINE';

/** The first one that this machine has is started. */
const engineSources: readonly EngineSource[] = [dynoxide, dynamoDBLocal];

/** What you can do where no engine, or the wrong one, is found. */
export const otherEngine = `set ${endpointVariable} to the address of a DynamoDB engine that already runs`;

/** The error of an engine that cannot be used; besides the remedy, another engine always helps. */
export function engineFailure(setting: string, problem: string, remedy: string): SagaboxError {
  return new SagaboxError('Configuration', { setting, problem, remedy: `${remedy}, or ${otherEngine}` });
}

/**
 * The engine that is to be started here.
 *
 * @param name as `SAGABOX_DYNAMODB_ENGINE` has it; undefined or empty for the first one that is there
 * @throws SagaboxError `Configuration` for a name that is none, and where no engine is there; it names each
 * way to get one
 */
export function chooseEngine(
  name: string | undefined,
  sources: readonly EngineSource[] = engineSources,
): EngineProgram {
  if (name) return engineNamed(name, sources);
  const problems: string[] = [];
  for (const source of sources) {
    const found = source.find();
    if (isProgram(found)) return found;
    problems.push(found.problem);
  }
  const ways = [...sources.flatMap(({ wayToGet }) => wayToGet ?? []), otherEngine];
  throw new SagaboxError('Configuration', {
    setting: 'DynamoDB engine',
    problem: `no engine can be started: ${problems.join('; ')}`,
    remedy: `Do one of these: ${ways.join('; or ')}`,
  });
}

function engineNamed(name: string, sources: readonly EngineSource[]): EngineProgram {
  const source = sources.find((one) => one.name === name);
  if (source === undefined) {
    const names = sources.map((one) => `'${one.name}'`).join(', ');
    throw engineFailure(engineVariable, `'${name}' is not the name of an engine`, `Use one of ${names}`);
  }
  const found = source.find();
  if (isProgram(found)) return found;
  const problem = `the engine '${name}' cannot be started: ${found.problem}`;
  throw engineFailure(engineVariable, problem, `${found.remedy}, unset ${engineVariable}`);
}

function isProgram(found: EngineProgram | EngineProblem): found is EngineProgram {
  return 'command' in found;
}
