import { Construct } from 'constructs';
import { describeValue } from '../../kernel/errors/thrown.ts';

/** A user's value, for a sentence: of a construct its path. */
export function describeProp(value: unknown): string {
  if (Construct.isConstruct(value)) return `'${value.node.path}'`;
  return typeof value === 'string' ? `'${value}'` : describeValue(value);
}
