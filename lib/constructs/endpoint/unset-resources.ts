import { Annotations } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { renderedProperties } from '../rendered-properties.ts';
import { unsetFunctionTimeout } from './endpoint-settings.ts';

/** What Lambda gives a function that does not say. Source: "Lambda quotas" (memory allocation, timeout). */
const UNSET_MEMORY_MB = 128;

/**
 * At synth, for a function that the user declares: Lambda's own time and memory seldom last for a cold start, and a
 * request that fails then is not tried again.
 */
export function warnOfUnsetResources(endpoint: Construct, handler: IFunction, setting: string): void {
  const rendered = renderedProperties(handler);
  if (rendered === undefined) return;
  const unset = [
    ...(rendered.Timeout === undefined
      ? [['timeout', `${unsetFunctionTimeout.toSeconds()} s`] as const]
      : []),
    ...(rendered.MemorySize === undefined ? [['memorySize', `${UNSET_MEMORY_MB} MB`] as const] : []),
  ];
  if (unset.length === 0) return;
  const names = unset.map(([name]) => name);
  const given = unset.map(([, value]) => value).join(' and ');
  Annotations.of(endpoint).addWarningV2(
    'sagabox:functionDefaults',
    `${setting}: '${handler.node.path}' has no ${names.join(' and no ')}, so that Lambda gives it ${given}, in which a cold ` +
      `start with the AWS SDK may not end. Give it a ${names.join(' and a ')}, such as 30 s and 512 MB, or acknowledge this.`,
  );
}
