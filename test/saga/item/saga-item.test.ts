import { describe, expect, it } from '@jest/globals';
import { isSagaboxError } from '../../../lib/kernel/errors/errors.ts';
import type { SagaOutboxForm } from '../../../lib/saga/definition/outbox-form.ts';
import { assertTakes, type SagaItem } from '../../../lib/saga/item/saga-item.ts';
import { at, orderSaga, sagaItem } from '../../support/commits.ts';

const PERIOD_SECONDS = 7200;
const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);

function refusal(form: SagaOutboxForm, item: SagaItem | undefined, now: Date): unknown {
  try {
    assertTakes(form, orderSaga, item, now, PERIOD_SECONDS);
    return undefined;
  } catch (error) {
    return isSagaboxError(error) ? { code: error.code, ...error.facts } : error;
  }
}

const records = sagaItem({});
const embedded = sagaItem({ schema: 'embedded' });
const refused = (stored: string, expected: string, takenFrom: Date | undefined) => ({
  code: 'OtherSagaForm',
  sagaName: 'OrderSaga',
  sagaId: '42',
  stored,
  expected,
  takenFrom: takenFrom?.toISOString(),
});

describe('the item of a saga', () => {
  it.each<[string, SagaOutboxForm, SagaItem | undefined]>([
    ['that is not there, by records', 'records', undefined],
    ['that is not there, by an embedded outbox', 'embedded', undefined],
    ['of records, by records', 'records', records],
    ['of records, by both', 'both', records],
    ['of an embedded outbox, by both', 'both', embedded],
    ['of an embedded outbox, by an embedded outbox', 'embedded', embedded],
    ['of both since a moment, by records', 'records', sagaItem({ changeover: at })],
    ['that has something pending, by both', 'both', sagaItem({ schema: 'embedded', pending: { size: 1 } })],
  ])('%s is taken at once', (_name, form, item) => {
    expect(refusal(form, item, at)).toBeUndefined();
  });

  it.each<[string, SagaOutboxForm, SagaItem]>([
    ['of records, by an embedded outbox', 'embedded', records],
    ['of an embedded outbox, by records', 'records', embedded],
  ])('%s is taken once nothing wrote it for a period', (_name, form, item) => {
    const takenFrom = later(PERIOD_SECONDS);
    expect(refusal(form, item, new Date(takenFrom.getTime() - 1))).toEqual(
      refused(item.schema, form, takenFrom),
    );
    expect(refusal(form, item, takenFrom)).toBeUndefined();
  });

  it.each<[SagaOutboxForm, SagaItem]>([
    ['embedded', records],
    ['records', embedded],
  ])('that both have written since is taken by %s a period after the changeover', (form, item) => {
    const written = { ...item, changeover: at, updatedAt: later(PERIOD_SECONDS) };
    expect(refusal(form, written, later(PERIOD_SECONDS))).toBeUndefined();
    expect(refusal(form, written, later(PERIOD_SECONDS - 1))).toMatchObject({ code: 'OtherSagaForm' });
  });

  it('that has something pending is not taken by records, however old it is', () => {
    const item = sagaItem({ schema: 'embedded', pending: { size: 1 } });
    expect(refusal('records', item, later(9 * PERIOD_SECONDS))).toEqual(
      refused('embedded', 'records', undefined),
    );
  });

  it.each<[SagaOutboxForm, SagaItem]>([
    ['embedded', records],
    ['records', embedded],
  ])('that is a tombstone and has expired is taken by %s', (form, item) => {
    const tombstone = { ...item, isTombstone: true, expiresAt: later(10) };
    expect(refusal(form, tombstone, later(9))).toMatchObject({ code: 'OtherSagaForm' });
    expect(refusal(form, tombstone, later(10))).toBeUndefined();
  });
});
