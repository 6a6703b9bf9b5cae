import { createHash } from 'node:crypto';
import { Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * A name for a construct that does not depend on what stands above its stack: letters, digits and hyphens,
 * unique in the stack.
 */
export function nameBelowStack(construct: IConstruct): string {
  const path = construct.node.scopes.slice(Stack.of(construct).node.scopes.length).map(({ node }) => node.id);
  const readable = path.join('-').replaceAll(/[^A-Za-z0-9-]/g, '');
  const hash = createHash('sha256').update(path.join('/')).digest('hex').slice(0, 8);
  return `${readable.slice(0, 60)}-${hash}`;
}
