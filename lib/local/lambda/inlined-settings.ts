import { SagaboxError } from '../../kernel/errors/errors.ts';
import { parameterNames, readSettingsReference } from '../../settings/settings-reference.ts';
import type { LocalResource } from '../app/resources/model.ts';

const parameterType = 'AWS::SSM::Parameter';

interface Parameter {
  readonly Name: string;
  readonly Value: string;
}

/**
 * The variables of a function with the settings themselves in the place of references to parameters of Systems
 * Manager: there is no such service here, and a variable takes more than the 4 KB of Lambda.
 *
 * @throws SagaboxError `Configuration` when the app does not declare a parameter that one refers to
 */
export function inlinedSettings(
  variables: Readonly<Record<string, string>>,
  resources: readonly LocalResource[],
): Record<string, string> {
  const inlined = Object.entries(variables).map(([variable, value]) => {
    const names = namesIn(value);
    return [variable, names.length === 0 ? value : settingOf(names, variable, resources)] as const;
  });
  return Object.fromEntries(inlined);
}

/** Whether a function has what the parameter holds in its variables: then it is not left out. */
export function isInlinedParameter(
  { properties: parameter }: LocalResource,
  resources: readonly LocalResource[],
): boolean {
  const { Name: name } = parameter as unknown as Parameter;
  return resources.some(({ type, properties }) => {
    const { Environment: environment } = properties as { Environment?: { Variables?: object } };
    if (type !== 'AWS::Lambda::Function') return false;
    return Object.values(environment?.Variables ?? {}).some((value) => namesIn(String(value)).includes(name));
  });
}

function namesIn(value: string): string[] {
  const reference = readSettingsReference(value);
  return reference === undefined ? [] : parameterNames(reference);
}

function settingOf(names: readonly string[], variable: string, resources: readonly LocalResource[]): string {
  const parameters = resources
    .filter(({ type }) => type === parameterType)
    .map(({ properties }) => properties as unknown as Parameter);
  const values = new Map(parameters.map(({ Name: name, Value: value }) => [name, value]));
  const missing = names.find((name) => !values.has(name));
  if (missing === undefined) return names.map((name) => values.get(name)).join('');
  throw new SagaboxError('Configuration', {
    setting: variable,
    problem: `it refers to the parameter '${missing}', which the app does not declare`,
    remedy: 'Run the assembly of the whole app: the stack that declares the parameters is not in it',
  });
}
