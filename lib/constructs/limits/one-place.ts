import { Stack, Stage } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { isKnown } from '../is-known.ts';

/** Where there is one resource of a name. */
export type Scope = 'the same account and region' | 'the same account' | 'all accounts and regions';

/**
 * Whether two constructs are deployed to one place, as far as that is known at synth. Stacks whose environment is
 * known only at deployment are not taken to be, and those of two Stages, as Dev and Prod, never are.
 *
 * @param isOncePerStage whether stacks of one Stage are taken to be
 */
export function isOnePlace(
  one: IConstruct,
  other: IConstruct,
  scope: Scope,
  isOncePerStage = false,
): boolean {
  const [here, there] = [Stack.of(one), Stack.of(other)];
  const isTogether = isOncePerStage ? Stage.of(one) === Stage.of(other) : here === there;
  const isShared = (part: 'account' | 'region') =>
    here[part] === there[part] && (isTogether || isKnown(here[part]));
  if (scope === 'all accounts and regions') {
    const areKnown = isKnown(here.region) && isKnown(there.region);
    return areKnown ? partitionOf(here.region) === partitionOf(there.region) : isShared('region');
  }
  return isShared('account') && (scope === 'the same account' || isShared('region'));
}

/** As its prefix tells: 'cn', 'us-gov' and 'us-iso' are worlds of their own. */
function partitionOf(region: string): string {
  return /^(?:cn|us-gov|\w+-iso\w*)(?=-)/.exec(region)?.[0] ?? '';
}
