import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { describeError } from '../messages/failures/failure-facts.ts';

/** Ends a span. A failure is noted with the code of its `SagaboxError`, else with the error's name. */
export function endSpan(span: Span, failure?: { readonly error: unknown }): void {
  if (failure) {
    const { code, message } = describeError(failure.error);
    span.setAttribute('error.type', code).setStatus({ code: SpanStatusCode.ERROR, message });
  }
  span.end();
}
