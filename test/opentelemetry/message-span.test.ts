import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { context, trace } from '@opentelemetry/api';
import { openTelemetry } from 'sagabox/opentelemetry';
import { sqsRecord } from 'sagabox/testing';
import { readEnvelope } from '../../lib/messages/envelope.ts';
import { type ExportedSpans, exportSpans } from '../support/exported-spans.ts';

let exported: ExportedSpans;

beforeEach(() => {
  exported = exportSpans();
});

afterEach(() => exported.end());

function startMessage(id: string) {
  const record = sqsRecord({ type: 'OrderPlaced', id });
  return openTelemetry().startMessage(record, readEnvelope(record), 'orders');
}

/** The ids of the messages whose spans it links to. */
function linked(name: string): unknown[][] {
  const idOf = new Map(
    exported.spans().map((span) => [span.spanContext().spanId, span.attributes['messaging.message.id']]),
  );
  return exported.named(name).map(({ links }) => links.map((link) => idOf.get(link.context.spanId)));
}

describe('the span of a message', () => {
  it('is current while its attempt runs, and that of the commit while it is written', async () => {
    const span = startMessage('a');
    const current = () => trace.getSpanContext(context.active())?.spanId;
    const [ofAttempt, ofCommit] = await span.run(async () => [
      current(),
      await span.commit([], async () => current()),
    ]);
    span.end();
    expect([ofAttempt, ofCommit]).toEqual([
      exported.named('process orders')[0]?.spanContext().spanId,
      exported.named('commit')[0]?.spanContext().spanId,
    ]);
  });

  it('links its commit to the messages whose commits share its transaction', async () => {
    const spans = ['a', 'b', 'c'].map(startMessage);
    const [a, b, c] = spans as [(typeof spans)[0], (typeof spans)[0], (typeof spans)[0]];
    await Promise.all([
      a.commit([], async () => a.merged([b, c])),
      b.commit([], async () => b.merged([a, c])),
    ]);
    for (const span of spans) span.end();
    expect(linked('commit')).toEqual([
      ['b', 'c'],
      ['a', 'c'],
    ]);
  });

  it('shares nothing with others when it was not committed yet', () => {
    const [a, b] = ['a', 'b'].map(startMessage);
    if (a && b) a.merged([b]);
    a?.end();
    b?.end();
    expect(exported.spans().flatMap(({ links }) => links)).toEqual([]);
  });

  it('throws what its commit throws', async () => {
    const refusal = new Error('refused');
    const span = startMessage('a');
    await expect(span.commit([], () => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(exported.named('commit')[0]?.attributes['error.type']).toBe('Error');
  });
});
