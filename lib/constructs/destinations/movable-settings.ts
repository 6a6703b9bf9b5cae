import { Annotations, Aspects, CfnResource, Lazy, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { encode, type WrittenSetting } from '../../settings/setting.ts';
import {
  parameterNames,
  type SettingsReference,
  settingsReference,
} from '../../settings/settings-reference.ts';
import {
  environmentBytes,
  environmentVariablesOf,
  MAX_ENVIRONMENT_BYTES,
} from '../limits/function-environment.ts';
import { textBytes } from '../limits/rendered-size.ts';
import { acknowledgeWildcard } from '../nag-suppressions.ts';
import { nameBelowStack } from '../path-below-stack.ts';
import { jsonPieces } from './json-pieces.ts';
import { keepsVersions } from './kept-versions.ts';
import { settingsGeneration } from './settings-generation.ts';
import { warnOfVpcWithoutParameters } from './way-to-parameters.ts';

/** Of the standard tier. Source: "Managing parameter tiers". */
const MAX_PARAMETER_BYTES = 4096;

/** The JSON of settings by their variables; `undefined` when one is not to be set. */
type Settings = Readonly<Record<string, () => string | undefined>>;

/** A JSON setting whose value is read at synth; `undefined` when it is not to be set. */
export function movable<Written extends object>(
  setting: WrittenSetting<Written>,
  read: () => Written | undefined,
): Settings {
  return {
    [setting.variable]: () => {
      const value = read();
      return value && encode(setting, value);
    },
  };
}

/**
 * JSON settings of a function that stand in its environment as long as there is room: 4,096 bytes for all of
 * its variables. When there is not, the largest are kept in parameters of Systems Manager, until the rest
 * fits: the variable then holds a reference (see `lib/settings/settings-reference.ts`), and the function may read
 * the parameters of that setting alone.
 *
 * A setting that says something else has other parameters, with logical ids of their own: CloudFormation makes
 * them first, then the functions change, then it deletes those of before, when aliases have moved on too. It
 * deletes the version of before at the same time, unless the function keeps its versions, as the parameters
 * then are.
 *
 * `new MovableSettings(this, 'Settings', movable(destinationsSetting, () => ({ … })))`, then {@link addTo} the
 * function. What the settings say is read at synth. Strings may hold tokens, numbers may not. A function of
 * many endpoints may hand in one object with all of them.
 *
 * Decided by an aspect on the construct, as CDK itself moves large policies: by then all destinations and all
 * variables are known, and the parameters are resources as any other.
 */
export class MovableSettings extends Construct {
  readonly #settings: Settings;
  readonly #functions: IFunction[] = [];
  readonly #readers: IGrantable[] = [];
  /** Of each variable that was moved. */
  readonly #references = new Map<string, SettingsReference>();

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    this.#settings = settings;
    Aspects.of(this).add({ visit: (node) => void (node === this && this.#moveWhatDoesNotFit()) });
    this.node.addValidation({ validate: () => this.#warnOfUnreachable() });
  }

  /** The variables, for an environment whose function {@link grantRead} is given. */
  get variables(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      Object.keys(this.#settings).map((name) => [
        name,
        Lazy.uncachedString({ produce: () => this.#valueOf(name) }),
      ]),
    );
  }

  /** Sees to it that the environment of the function fits, and lets it read what it refers to. */
  addTo(handler: IFunction): void {
    this.#functions.push(handler);
    this.grantRead(handler);
  }

  /** Allows to read the settings that will be moved, if any. */
  grantRead(grantee: IGrantable): Grant {
    if (!this.#readers.includes(grantee)) this.#readers.push(grantee);
    return Grant.drop(grantee, 'ssm:GetParameters');
  }

  #valueOf(variable: string): string | undefined {
    const reference = this.#references.get(variable);
    if (reference !== undefined) return settingsReference(reference);
    return this.#settings[variable]?.();
  }

  #moveWhatDoesNotFit(): void {
    for (const handler of this.#functions) {
      while ((environmentBytes(handler) ?? 0) > MAX_ENVIRONMENT_BYTES) {
        const variables = environmentVariablesOf(handler) ?? {};
        const [largest] = Object.keys(this.#settings)
          .filter((name) => variables[name] !== undefined && !this.#references.has(name))
          .sort((one, other) => (variables[other]?.length ?? 0) - (variables[one]?.length ?? 0));
        if (largest === undefined) break;
        this.#move(largest);
      }
    }
  }

  #warnOfUnreachable(): string[] {
    if (this.#references.size === 0) return [];
    for (const handler of this.#functions) warnOfVpcWithoutParameters(this, handler);
    return [];
  }

  #move(variable: string): void {
    const chunks = this.#chunksOf(variable);
    const generation = settingsGeneration(this, chunks.join(''));
    const settingPath = `/sagabox/${Stack.of(this).stackName}/${nameBelowStack(this)}/${variable}`;
    const reference = { path: `${settingPath}/${generation}`, count: chunks.length };
    this.#references.set(variable, reference);
    const parameters = parameterNames(reference).map((name, index) => {
      const parameter = new CfnParameter(this, `${variable}${generation}Part${index}`, {
        name,
        type: 'String',
        tier: 'Standard',
        value: chunks[index] ?? '',
        description: `A part of ${variable}, which is too large for the environment of a function`,
      });
      if (this.#functions.some(keepsVersions)) {
        parameter.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
      }
      return parameter;
    });
    this.#allowToRead(settingPath);
    for (const { node, stack } of this.#functions) {
      const resource = node.defaultChild;
      const isHere = stack === Stack.of(this) && resource && CfnResource.isCfnResource(resource);
      if (isHere) for (const parameter of parameters) resource.addResourceDependency(parameter);
    }
    Annotations.of(this).addInfoV2(
      `sagabox:moved:${variable}`,
      `${variable} has no room in the ${MAX_ENVIRONMENT_BYTES} bytes of the environment: the function reads it from ` +
        `Systems Manager at its cold start, where it takes ${chunks.length} parameters.`,
    );
  }

  /** All generations: functions of the one before run until the deployment has replaced them. */
  #allowToRead(settingPath: string): void {
    const parameters = Stack.of(this).formatArn({ service: 'ssm', resource: `parameter${settingPath}/*` });
    for (const grantee of this.#readers) {
      Grant.addToPrincipal({ grantee, actions: ['ssm:GetParameters'], resourceArns: [parameters] });
      acknowledgeWildcard(grantee, parameters, 'Each generation of the setting has parameters of its own.');
    }
  }

  /** Each as large as a parameter may be at most. */
  #chunksOf(variable: string): string[] {
    const chunks: string[] = [];
    let bytes = Number.POSITIVE_INFINITY;
    for (const piece of jsonPieces(this.#settings[variable]?.() ?? '{}')) {
      const pieceBytes = textBytes(this, piece);
      bytes += pieceBytes;
      if (bytes <= MAX_PARAMETER_BYTES) {
        chunks.push(`${chunks.pop() ?? ''}${piece}`);
      } else {
        chunks.push(piece);
        bytes = pieceBytes;
      }
    }
    return chunks;
  }
}
