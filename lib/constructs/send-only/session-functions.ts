import { Duration } from 'aws-cdk-lib';
import { Alias, type Function as LambdaFunction, Version } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { describeProp } from '../checks/describe-prop.ts';
import type { AnyFunction } from '../construct-types.ts';
import { isOfApp, runtimeProblem, warnOfFixedVersion } from '../endpoint/endpoint-function.ts';
import { unsetFunctionTimeout } from '../endpoint/endpoint-settings.ts';
import { renderedTimeoutSeconds } from '../endpoint/rendered-settings.ts';
import { pathsOf } from '../endpoint/sending-facts.ts';
import { otherEndpointsOf, serve } from '../endpoint/served-endpoints.ts';
import { warnOfUnsetResources } from '../endpoint/unset-resources.ts';
import { elsewhereProblem } from '../places.ts';
import type { Violations } from '../violations.ts';
import type { SendOnlyFacts } from './send-only-rules.ts';

/** The functions that run sessions of one endpoint, whose environment names it. */
export class SessionFunctions {
  readonly #endpoint: Construct;
  readonly #violations: Violations;
  readonly #functions: LambdaFunction[] = [];

  constructor(endpoint: Construct, violations: Violations) {
    this.#endpoint = endpoint;
    this.#violations = violations;
  }

  /** @returns the function, whose environment can be set; `undefined` for one of before, and for one that is reported */
  add(target: AnyFunction): LambdaFunction | undefined {
    const handler = target instanceof Alias || target instanceof Version ? target.lambda : target;
    const imported = `${describeProp(target)} is imported, or no function, so that its environment cannot be set`;
    const problem = isOfApp(handler)
      ? (elsewhereProblem(this.#endpoint, handler) ?? runtimeProblem(handler))
      : imported;
    if (problem !== undefined || !isOfApp(handler)) {
      const remedy = 'Give functions that are declared where the endpoint is, or aliases or versions of them';
      this.#violations.add('functions', problem ?? imported, remedy);
      return undefined;
    }
    if (this.#functions.includes(handler)) return undefined;
    this.#functions.push(handler);
    serve(this.#endpoint, handler);
    warnOfFixedVersion(this.#endpoint, handler, target, 'functions');
    return handler;
  }

  /** Those that serve other endpoints of the app too. */
  get shared(): SendOnlyFacts['sharedFunctions'] {
    return this.#functions.flatMap((handler) => {
      const endpoints = pathsOf(otherEndpointsOf(handler, this.#endpoint));
      return endpoints.length === 0 ? [] : [{ path: handler.node.path, endpoints }];
    });
  }

  /** At synth. */
  warnOfUnsetResources(): void {
    for (const handler of this.#functions) warnOfUnsetResources(this.#endpoint, handler, 'functions');
  }

  /** The timeout of the slowest, as far as it is known at synth. */
  get longestTimeout(): Duration {
    const seconds = this.#functions
      .map((handler) => renderedTimeoutSeconds(handler))
      .filter((timeout) => timeout !== undefined);
    return Duration.seconds(Math.max(...seconds, unsetFunctionTimeout.toSeconds()));
  }
}
