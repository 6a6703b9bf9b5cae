import { Annotations, Stack } from 'aws-cdk-lib';
import { Alias, type IVersion, type Function as LambdaFunction, Version } from 'aws-cdk-lib/aws-lambda';
import type { Construct, IConstruct } from 'constructs';
import { describeProp } from '../checks/describe-prop.ts';
import { isConstructWith } from '../checks/prop-kinds.ts';
import type { AnyFunction } from '../construct-types.ts';
import { elsewhereProblem } from '../places.ts';
import type { Violations } from '../violations.ts';
import { endpointDefaults } from './endpoint-rows.ts';
import { handlerFunction, placeholderFunction } from './handler-function.ts';
import type { EndpointSettings } from './message-endpoint-props.ts';
import { unusableRuntime } from './node-runtime.ts';
import { serve } from './served-endpoints.ts';

/** What handles the messages of an endpoint. */
export interface EndpointFunction {
  /** Has the environment and the permissions. */
  readonly handler: LambdaFunction;
  /** The function, or an alias or a version of it, as the target of the event source. */
  readonly target: AnyFunction;
}

/** The function of an endpoint: the given one, or one that is bundled for it. */
export function endpointFunction(
  endpoint: Construct,
  settings: EndpointSettings,
  violations: Violations,
): EndpointFunction {
  if (settings.function !== undefined)
    return givenFunction(endpoint, settings.function, settings, violations);
  const handler = handlerFunction(endpoint, 'Function', {
    entry: settings.entry,
    timeout: settings.functionTimeout ?? endpointDefaults.functionTimeout,
    memorySizeMb: settings.memorySizeMb ?? endpointDefaults.memorySizeMb,
    architecture: settings.architecture ?? endpointDefaults.architecture,
    bundling: settings.bundling ?? {},
    recursiveLoop: settings.recursiveLoop ?? endpointDefaults.recursiveLoop,
    functionProps: settings.functionProps,
    logRetention: settings.logRetention,
    removalPolicy: settings.removalPolicy,
    encryptionKey: settings.encryptionKey,
  });
  const { aliasName } = settings;
  if (aliasName === undefined) return { handler, target: handler };
  const alias = new Alias(endpoint, 'Alias', { aliasName, version: handler.currentVersion as IVersion });
  return { handler, target: alias };
}

function givenFunction(
  endpoint: Construct,
  target: AnyFunction,
  settings: EndpointSettings,
  violations: Violations,
): EndpointFunction {
  const handler = target instanceof Alias || target instanceof Version ? target.lambda : target;
  const unusable = isOfApp(handler)
    ? (elsewhereProblem(endpoint, handler) ??
      cycleProblem(endpoint, handler, settings) ??
      runtimeProblem(handler))
    : undefined;
  if (isOfApp(handler) && unusable === undefined) {
    serve(endpoint, handler);
    warnOfFixedVersion(endpoint, handler, target, 'function');
    return { handler, target };
  }
  const imported = `${describeProp(target)} is imported, or no function, so that its environment cannot be set`;
  violations.add(
    'function',
    unusable ?? imported,
    'Give a function that is declared where the endpoint is, an alias or a version of one, or an entry',
  );
  const placeholder = placeholderFunction(endpoint, 'Function');
  return { handler: placeholder, target: placeholder };
}

/** The mapping refers to the function, and the policy of the function to the queues. */
function cycleProblem(
  endpoint: Construct,
  handler: LambdaFunction,
  { queue, errorQueue }: EndpointSettings,
): string | undefined {
  const [own, other] = [Stack.of(endpoint), Stack.of(handler)];
  if (holds(own, other) || (queue !== undefined && errorQueue !== undefined)) return undefined;
  return (
    `'${handler.node.path}' is of the stack '${other.node.path}', and the endpoint makes its queues in '${own.node.path}', ` +
    'so that the stacks would depend on each other'
  );
}

/** A stack refers to what it passes to its nested stacks, and to what these have. */
function holds(own: Stack, other: Stack | undefined): boolean {
  return other !== undefined && (own === other || holds(own, other.nestedStackParent));
}

export function runtimeProblem({ node, runtime }: LambdaFunction): string | undefined {
  const unusable = unusableRuntime(runtime);
  return unusable && `'${node.path}' has the runtime ${unusable}`;
}

export function isOfApp(handler: AnyFunction): handler is LambdaFunction {
  return isConstructWith(handler, 'addEnvironment');
}

/** A version keeps the environment that its function had when it was published. */
export function warnOfFixedVersion(
  endpoint: Construct,
  handler: LambdaFunction,
  target: AnyFunction,
  setting: string,
): void {
  const version: IConstruct | undefined = target instanceof Alias ? target.version : target;
  if (!(version instanceof Version) || version === handler.node.tryFindChild('CurrentVersion')) return;
  Annotations.of(endpoint).addWarningV2(
    'sagabox:functionVersion',
    `${setting}: '${version.node.path}' is not the currentVersion of '${handler.node.path}', and keeps the environment that the ` +
      'function had when it was published: what you change of the endpoint later does not reach it. Give currentVersion, ' +
      'or an alias of it.',
  );
}
