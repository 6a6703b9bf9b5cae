import { SagaboxError } from '../../../kernel/errors/errors.ts';

/** What the names in a template stand for. */
export interface IntrinsicScope {
  /** Of a resource, a parameter or a pseudo parameter. */
  readonly ref: (name: string) => unknown;
  readonly attribute: (logicalId: string, attribute: string) => unknown;
  readonly importedValue: (exportName: string) => unknown;
  /** What `Fn::GetStackOutput` names: an output of a stack, whether exported or not. */
  readonly stackOutput: (stackName: string, outputName: string) => unknown;
  readonly mapping: (map: string, key: string, attribute: string) => unknown;
}

type Resolver = (argument: unknown, scope: IntrinsicScope) => unknown;

/** A value of a template with every intrinsic function in it replaced by what it stands for. */
export function resolveIntrinsics(value: unknown, scope: IntrinsicScope): unknown {
  if (Array.isArray(value)) {
    return value.map((element) => resolveIntrinsics(element, scope)).filter((element) => element !== noValue);
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only !== undefined) {
    const [name, argument] = only;
    const resolver = resolvers[name];
    if (resolver !== undefined) return resolver(argument, scope);
    if (name.startsWith('Fn::')) throw unsupported(name);
  }
  return Object.fromEntries(
    entries
      .map(([key, element]) => [key, resolveIntrinsics(element, scope)] as const)
      .filter(([, element]) => element !== noValue),
  );
}

/** Stands for `AWS::NoValue`: the property that has it is left out. */
export const noValue = Symbol('AWS::NoValue');

const resolvers: Readonly<Record<string, Resolver>> = {
  Ref: (name, scope) => scope.ref(String(name)),
  'Fn::GetAtt': (argument, scope) => {
    const [logicalId = '', ...attribute] = Array.isArray(argument) ? argument : String(argument).split('.');
    return scope.attribute(String(logicalId), attribute.join('.'));
  },
  'Fn::Join': (argument, scope) => {
    const [separator, parts] = list('Fn::Join', argument);
    return list('Fn::Join', resolveIntrinsics(parts, scope)).map(String).join(String(separator));
  },
  'Fn::Sub': (argument, scope) => {
    const [template, variables] = Array.isArray(argument) ? argument : [argument, {}];
    return substitute(String(template), (variables ?? {}) as Record<string, unknown>, scope);
  },
  'Fn::Select': (argument, scope) => {
    const [index, elements] = list('Fn::Select', argument);
    return list('Fn::Select', resolveIntrinsics(elements, scope))[Number(resolveIntrinsics(index, scope))];
  },
  'Fn::Split': (argument, scope) => {
    const [separator, joined] = list('Fn::Split', argument);
    return String(resolveIntrinsics(joined, scope)).split(String(separator));
  },
  'Fn::ImportValue': (argument, scope) => scope.importedValue(String(resolveIntrinsics(argument, scope))),
  'Fn::GetStackOutput': (argument, scope) => {
    const { StackName: stackName, OutputName: outputName } = resolveIntrinsics(argument, scope) as {
      StackName: unknown;
      OutputName: unknown;
    };
    return scope.stackOutput(String(stackName), String(outputName));
  },
  'Fn::FindInMap': (argument, scope) => {
    const [map, key, attribute] = list('Fn::FindInMap', resolveIntrinsics(argument, scope));
    return scope.mapping(String(map), String(key), String(attribute));
  },
};

function substitute(template: string, variables: Record<string, unknown>, scope: IntrinsicScope): string {
  return template.replace(/\$\{(!?)([^${}]+)\}/g, (_, escaped: string, name: string) => {
    if (escaped) return `\${${name}}`;
    if (name in variables) return String(resolveIntrinsics(variables[name], scope));
    const [logicalId = '', ...attribute] = name.split('.');
    return String(attribute.length === 0 ? scope.ref(name) : scope.attribute(logicalId, attribute.join('.')));
  });
}

function list(name: string, argument: unknown): unknown[] {
  if (!Array.isArray(argument)) throw unsupported(`${name} of ${JSON.stringify(argument)}`);
  return argument;
}

function unsupported(what: string): SagaboxError {
  return new SagaboxError('Configuration', {
    setting: 'assemblyDirectory',
    problem: `a template uses '${what}', which the local runtime cannot resolve`,
    remedy: `Use one of ${Object.keys(resolvers).join(', ')}`,
  });
}
