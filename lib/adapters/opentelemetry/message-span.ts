import { type Context, context, type Span, SpanKind, type Tracer, trace } from '@opentelemetry/api';
import type { SagaIdentity } from '../../core/storage/keys.ts';
import type { MessageSpan } from '../../ports.ts';
import { operationAttributes } from './attributes.ts';
import { endSpan } from './end-span.ts';
import { headersOf } from './span-context.ts';

/** What a handler sends, until it is committed: one span for all of it, whose context its messages carry. */
interface Creation {
  readonly span: Span;
  readonly headers: Readonly<Record<string, string>>;
  readonly destinations: string[];
}

export class OpenTelemetryMessageSpan implements MessageSpan {
  readonly #tracer: Tracer;
  readonly #span: Span;
  readonly #context: Context;
  #creation: Creation | undefined;
  #commit: Span | undefined;

  constructor(tracer: Tracer, span: Span, parent: Context) {
    this.#tracer = tracer;
    this.#span = span;
    this.#context = trace.setSpan(parent, span);
  }

  run<T>(attempt: () => T): T {
    return context.with(this.#context, attempt);
  }

  traceHeaders(destination: string): Readonly<Record<string, string>> {
    this.#creation ??= this.#startCreation();
    this.#creation.destinations.push(destination);
    return this.#creation.headers;
  }

  async commit<T>(others: readonly MessageSpan[], write: () => Promise<T>): Promise<T> {
    const committed = ofOpenTelemetry(others);
    for (const each of [this, ...committed]) each.#endCreation();
    const links = committed.map((other) => ({ context: other.#span.spanContext() }));
    const span = this.#tracer.startSpan('commit', { links }, this.#context);
    this.#commit = span;
    for (const other of committed) other.#span.addLink({ context: span.spanContext() });
    try {
      const result = await context.with(trace.setSpan(this.#context, span), write);
      endSpan(span);
      return result;
    } catch (error) {
      endSpan(span, { error });
      throw error;
    }
  }

  merged(others: readonly MessageSpan[]): void {
    for (const other of ofOpenTelemetry(others))
      this.#commit?.addLink({ context: other.#span.spanContext() });
  }

  noteOutcome(outcome: string, saga: SagaIdentity | undefined): void {
    this.#span.setAttribute('sagabox.outcome', outcome);
    if (saga) this.#span.setAttributes({ 'sagabox.saga.name': saga.name, 'sagabox.saga.id': saga.id });
  }

  end(failure?: { readonly error: unknown }): void {
    this.#endCreation();
    endSpan(this.#span, failure);
  }

  #startCreation(): Creation {
    const options = { kind: SpanKind.PRODUCER, attributes: operationAttributes('create') };
    const span = this.#tracer.startSpan('create', options, this.#context);
    // Without an SDK it has the context of the received message, if that has one.
    return { span, headers: headersOf(span), destinations: [] };
  }

  #endCreation(): void {
    if (this.#creation === undefined) return;
    const { span, destinations } = this.#creation;
    const names = [...new Set(destinations)];
    if (names.length === 1) {
      span.updateName(`create ${names[0]}`).setAttribute('messaging.destination.template', names[0] ?? '');
    }
    span.setAttribute('messaging.batch.message_count', destinations.length).end();
    this.#creation = undefined;
  }
}

/** An endpoint has one kind of tracing. */
function ofOpenTelemetry(spans: readonly MessageSpan[]): OpenTelemetryMessageSpan[] {
  return spans.filter((span) => span instanceof OpenTelemetryMessageSpan);
}
