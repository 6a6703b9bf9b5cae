import {
  CfnElement,
  DefaultTokenResolver,
  type IResolvable,
  type IResolveContext,
  Reference,
  Stack,
  Tokenization,
} from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { standInForAttribute, standInForPseudoParameter } from './stand-ins.ts';

/**
 * What a value will be when it is deployed, as far as its size goes: the references of CloudFormation are
 * replaced by what they may be at most. A name that is made at deployment counts 80 characters, an account 12
 * and a region 14; a name that the template says counts as it is.
 *
 * @param scope a construct of the stack that holds the value; references to other stacks are replaced too
 * @param value anything with tokens, such as the properties of an L1 construct, or `document.toJSON()` of a
 *   policy document (a document itself can no longer be changed once it is resolved)
 * @returns the value without any token, to be measured with {@link policyBytes} or {@link textBytes}
 */
export function rendered(scope: IConstruct, value: unknown): unknown {
  const resolver = new StandInResolver(scope);
  return resolver.evaluate(Tokenization.resolve(value, { scope, resolver, preparing: false }));
}

/**
 * The bytes of a policy, or of a part of it, as IAM and SQS count them: as JSON, with its white space left
 * out. Source: "IAM and AWS STS quotas".
 * For a document pass `document.toJSON()`.
 */
export function policyBytes(scope: IConstruct, value: unknown): number {
  return Buffer.byteLength((JSON.stringify(rendered(scope, value)) ?? '').replaceAll(/\s/g, ''));
}

/** The bytes of a text with tokens, or of the JSON of any other value; white space counts. */
export function textBytes(scope: IConstruct, value: unknown): number {
  const text = rendered(scope, value);
  return Buffer.byteLength(typeof text === 'string' ? text : JSON.stringify(text));
}

/** Longer than any single value that we put into a template. */
const unknownText = 'u'.repeat(160);

type Intrinsics = Readonly<Record<string, (argument: unknown) => unknown>>;

class StandInResolver extends DefaultTokenResolver {
  readonly #scope: IConstruct;
  #elements: Map<string, CfnElement> | undefined;

  constructor(scope: IConstruct) {
    super({ join: (left, right) => textOf(this.evaluate(left)) + textOf(this.evaluate(right)) });
    this.#scope = scope;
  }

  override resolveToken(token: IResolvable, context: IResolveContext, post: never): unknown {
    if (Reference.isReference(token)) {
      const { target, displayName } = token;
      const pseudo = standInForPseudoParameter(displayName);
      return pseudo ?? standInForAttribute(CfnElement.isCfnElement(target) ? target : undefined, displayName);
    }
    return this.evaluate(super.resolveToken(token, context, post));
  }

  /** Of a value without tokens: the intrinsic functions, which `toJsonString` leaves. */
  evaluate(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.evaluate(each));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, each]) => [key, this.evaluate(each)] as const);
    const [only] = entries;
    if (entries.length !== 1 || only === undefined || !/^(Ref$|Fn::)/.test(only[0]))
      return Object.fromEntries(entries);
    const [name, argument] = only;
    return this.#intrinsics[name]?.(argument) ?? unknownText;
  }

  readonly #intrinsics: Intrinsics = {
    Ref: (id) => standInForPseudoParameter(String(id)) ?? this.#attribute(String(id), 'Ref'),
    'Fn::GetAtt': (argument) => {
      const [id = '', attribute = ''] = Array.isArray(argument) ? argument : String(argument).split('.');
      return this.#attribute(id, attribute);
    },
    'Fn::Join': (argument) => {
      const [delimiter, parts] = argument as [string, unknown];
      return Array.isArray(parts) ? parts.map(textOf).join(delimiter) : textOf(parts);
    },
    'Fn::Split': (argument) => {
      const [delimiter, text] = argument as [string, unknown];
      return textOf(text).split(delimiter);
    },
    'Fn::Select': (argument) => {
      const [index, list] = argument as [number | string, unknown];
      return Array.isArray(list) ? list[Number(index)] : unknownText;
    },
    'Fn::ImportValue': (exported) => this.#exportedAttribute(textOf(exported)),
    'Fn::GetStackOutput': (output) => this.#exportedAttribute(JSON.stringify(output)),
  };

  /** CDK names an export after the logical id and the attribute that it holds. */
  #exportedAttribute(exported: string): string {
    const [, kind, target = ''] = /\bExportsOutput(Ref|FnGetAtt)(\w+?)[0-9A-F]{8}(?!\w)/.exec(exported) ?? [];
    if (kind === undefined) return unknownText;
    const ids = [...this.#elementsById().keys()].filter((id) => target.startsWith(id));
    const [id = ''] = ids.sort((one, other) => other.length - one.length);
    return this.#attribute(id, kind === 'Ref' ? kind : target.slice(id.length));
  }

  #attribute(id: string, attribute: string): string {
    return standInForAttribute(this.#elementsById().get(id), attribute);
  }

  /** Of all stacks of the app; those of the own stack come first. */
  #elementsById(): Map<string, CfnElement> {
    if (this.#elements !== undefined) return this.#elements;
    const { node } = this.#scope;
    const elements = [...node.root.node.findAll(), ...Stack.of(this.#scope).node.findAll()];
    this.#elements = new Map();
    for (const element of elements) {
      if (!CfnElement.isCfnElement(element)) continue;
      const { stack } = element;
      this.#elements.set(stack.resolve(element.logicalId), element);
    }
    return this.#elements;
  }
}

/** A value within a text, as JSON unless it is a text itself. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
