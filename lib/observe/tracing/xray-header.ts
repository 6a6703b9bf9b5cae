import type { TraceContext } from './trace-context.ts';

/**
 * Reads X-Ray's trace header, as in the system attribute `AWSTraceHeader` of an SQS message. Source: "Tracing
 * header" in "AWS X-Ray concepts".
 *
 * @returns undefined if it is malformed, or not sampled: Lambda writes a header that says so for each function
 *   without active tracing, which is no decision about the message
 */
export function readXRayHeader(header: string | undefined): TraceContext | undefined {
  const fields = fieldsOf(header);
  const [, time, random] = /^1-([\da-f]{8})-([\da-f]{24})$/.exec(fields.get('Root') ?? '') ?? [];
  const spanId = fields.get('Parent') ?? '';
  if (!/^(?!0{16})[\da-f]{16}$/.test(spanId) || fields.get('Sampled') !== '1') return undefined;
  return time === undefined || random === undefined
    ? undefined
    : { traceId: `${time}${random}`, spanId, isSampled: true };
}

/** Source: "PutEventsRequestEntry" in the Amazon EventBridge API Reference. */
const MAX_LENGTH = 500;

/**
 * The header of a message in place of the one that its whole request has. What else that one carries is kept:
 * Lambda finds recursive loops by its `Lineage`.
 *
 * @param ofRequest the header of the invocation, which the SDK would send
 * @returns undefined if EventBridge would refuse it, and the other events of its call
 */
export function xrayHeader(
  { traceId, spanId, isSampled }: TraceContext,
  ofRequest: string,
): string | undefined {
  const root = `1-${traceId.slice(0, 8)}-${traceId.slice(8)}`;
  const others = [...fieldsOf(ofRequest)].filter(([name]) => !['Root', 'Parent', 'Sampled'].includes(name));
  const fields = [['Root', root], ['Parent', spanId], ['Sampled', isSampled ? '1' : '0'], ...others];
  const header = fields.map(([name, value]) => `${name}=${value}`).join(';');
  return header.length <= MAX_LENGTH ? header : undefined;
}

function fieldsOf(header: string | undefined): Map<string, string> {
  const fields = (header ?? '').split(';').map((field) => /^\s*([\w-]+)=([!-:<-~]*)\s*$/.exec(field));
  return new Map(fields.flatMap((field) => (field ? [[field[1] ?? '', field[2] ?? '']] : [])));
}
