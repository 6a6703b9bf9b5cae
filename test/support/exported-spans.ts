import { context, type SpanContext, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type Span,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';

/** Registers a provider whose spans stay in memory, until `end`. */
export function exportSpans() {
  const exporter = new InMemorySpanExporter();
  const started = new StartedSpans();
  const spanProcessors = [started, new SimpleSpanProcessor(exporter)];
  const provider = new BasicTracerProvider({ spanProcessors });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  /** Those that have ended, in the order in which they began. */
  const spans = () => exporter.getFinishedSpans().toSorted((one, other) => started.compare(one, other));
  return {
    spans,
    named: (name: string) => spans().filter((span) => span.name === name),
    reset: () => exporter.reset(),
    end: async () => {
      await provider.shutdown();
      trace.disable();
      context.disable();
    },
  };
}

/** Their times have milliseconds only. */
class StartedSpans implements SpanProcessor {
  readonly #order = new Map<string, number>();

  onStart(span: Span): void {
    this.#order.set(span.spanContext().spanId, this.#order.size);
  }

  onEnd(): void {}

  async forceFlush(): Promise<void> {}

  async shutdown(): Promise<void> {}

  compare(one: ReadableSpan, other: ReadableSpan): number {
    return this.#placeOf(one) - this.#placeOf(other);
  }

  #placeOf(span: ReadableSpan): number {
    return this.#order.get(span.spanContext().spanId) ?? Number.NaN;
  }
}

export type ExportedSpans = ReturnType<typeof exportSpans>;

/**
 * Spans as a tree, each below its parent, in their order:
 * `name KIND type, outcome, !error.type ~link`.
 */
export function drawSpans(spans: readonly ReadableSpan[]): string {
  const known = new Map(spans.map((span) => [span.spanContext().spanId, span]));
  const isRoot = ({ parentSpanContext: parent }: ReadableSpan) => !parent || !known.has(parent.spanId);
  const linesOf = (span: ReadableSpan): string[] => {
    const { spanId } = span.spanContext();
    const children = spans.filter(({ parentSpanContext: parent }) => parent?.spanId === spanId);
    const below = children.flatMap((child, index) => {
      const isLast = index === children.length - 1;
      const [first, ...others] = linesOf(child);
      return [`${isLast ? '└─' : '├─'} ${first}`, ...others.map((line) => `${isLast ? '  ' : '│ '} ${line}`)];
    });
    return [lineOf(span, known), ...below];
  };
  return spans.filter(isRoot).flatMap(linesOf).join('\n');
}

function lineOf(
  { name, kind, attributes, status, links }: ReadableSpan,
  known: ReadonlyMap<string, ReadableSpan>,
): string {
  const error = status.code === SpanStatusCode.ERROR ? `!${attributes['error.type']}` : undefined;
  const count = attributes['messaging.batch.message_count'];
  const facts = [
    attributes['sagabox.message.type'],
    attributes['sagabox.outcome'],
    count === undefined ? undefined : `${count} messages`,
    error,
  ].filter((fact) => fact !== undefined);
  const kindName = kind === SpanKind.INTERNAL ? [] : [SpanKind[kind]];
  const linked = links.map((link) => `~${nameOf(link.context, known)}`);
  const withFacts = facts.length === 0 ? [] : [facts.join(', ')];
  return [name, ...kindName, ...withFacts, ...linked].join(' ');
}

function nameOf({ spanId }: SpanContext, known: ReadonlyMap<string, ReadableSpan>): string {
  return known.get(spanId)?.name ?? 'elsewhere';
}
