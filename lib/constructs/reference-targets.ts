import {
  DefaultTokenResolver,
  type IResolvable,
  type IResolveContext,
  Reference,
  StringConcat,
  Tokenization,
} from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

interface References {
  /** Whether they are looked for as CDK does before it makes them. @default false */
  readonly preparing?: boolean;
  /** For what belongs to another place and has no name. @default - the error of CDK is thrown */
  readonly onNameless?: () => unknown;
}

const cfnReference = Symbol.for('@aws-cdk/core.CfnReference');

/** What the references in a value lead to, of other stacks too; not what it knows by its name. */
export function referenceTargets(
  scope: IConstruct,
  value: unknown,
  { preparing = false, onNameless }: References = {},
): ReadonlySet<IConstruct> {
  const targets = new Set<IConstruct>();
  class TargetFinder extends DefaultTokenResolver {
    override resolveToken(token: IResolvable, context: IResolveContext, post: never): unknown {
      if (!Reference.isReference(token)) return super.resolveToken(token, context, post);
      // Other references, such as those to another account, turn into names or into a reference of a template.
      if (!(cfnReference in token)) return this.#resolved(token, context, post);
      targets.add(token.target);
      return '';
    }

    #resolved(token: IResolvable, context: IResolveContext, post: never): unknown {
      try {
        return super.resolveToken(token, context, post);
      } catch (error) {
        if (onNameless === undefined || !isNameless(error)) throw error;
        return onNameless();
      }
    }
  }
  Tokenization.resolve(value, { scope, resolver: new TargetFinder(new StringConcat()), preparing });
  return targets;
}

/** Of what CDK throws when another account or region refers to a resource without a name. */
export function isNameless(error: unknown): boolean {
  return String((error as Partial<Error>).message).includes('in a cross-environment fashion');
}
