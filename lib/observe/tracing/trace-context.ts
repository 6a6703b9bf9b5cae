import { headerNames, isTraceParent } from '../../messages/headers.ts';

/** A span, as far as headers tell of it. Source: "Trace Context", W3C Recommendation. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
  readonly traceState?: string | undefined;
}

const SAMPLED = 1;
const MAX_TRACE_STATE_LENGTH = 512;

/** @returns undefined if there is none, or one that is malformed */
export function readTraceHeaders(headers: Readonly<Record<string, string>>): TraceContext | undefined {
  const { [headerNames.traceParent]: traceParent, [headerNames.traceState]: traceState } = headers;
  if (!isTraceParent(traceParent)) return undefined;
  const [, traceId, spanId, flags] = traceParent.split('-') as [string, string, string, string];
  const isSampled = (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED;
  return { traceId, spanId, isSampled, traceState: isTraceState(traceState) ? traceState : undefined };
}

export function traceHeaders({
  traceId,
  spanId,
  isSampled,
  traceState,
}: TraceContext): Record<string, string> {
  return {
    [headerNames.traceParent]: `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`,
    ...(isTraceState(traceState) && { [headerNames.traceState]: traceState }),
  };
}

/** Its members are for tracing systems to read; a longer one may be dropped, and takes room in records. */
function isTraceState(header: string | undefined): header is string {
  return header !== undefined && header.length <= MAX_TRACE_STATE_LENGTH && /^[!-~][ -~]*$/.test(header);
}
