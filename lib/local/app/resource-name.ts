import { createHash } from 'node:crypto';
import type { AssemblyStack, TemplateResource } from './cloud-assembly.ts';
import { resourceKinds } from './resource-kinds.ts';

const maxNameLength = 64;
const maxBucketNameLength = 63;

/** The name that a resource has here: the declared one, or one made of its stack and logical id. */
export function localNameOf(
  stack: AssemblyStack,
  logicalId: string,
  { Type: type, Properties: properties }: TemplateResource,
): string {
  const property = resourceKinds[type]?.nameProperty;
  const given = property === undefined ? undefined : properties?.[property];
  if (typeof given === 'string') return given;
  const name = `${stack.name}-${logicalId}`;
  if (type === 'AWS::S3::Bucket') return cut(name, maxBucketNameLength).toLowerCase();
  const isFifo = properties?.FifoQueue === true || properties?.FifoTopic === true;
  return isFifo ? `${cut(name, maxNameLength - '.fifo'.length)}.fifo` : cut(name, maxNameLength);
}

/** A name that is too long, cut; two that differ stay so. */
function cut(name: string, maxLength: number): string {
  if (name.length <= maxLength) return name;
  const distinct = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, maxLength - distinct.length - 1)}-${distinct}`;
}
