import { describe, expect, it } from '@jest/globals';
import { changeoverLeft, schemaLeft } from '../../../lib/outbox/embedded/changeover.ts';
import type { SagaOutboxForm } from '../../../lib/saga/definition/outbox-form.ts';
import type { SagaItem } from '../../../lib/saga/item/saga-item.ts';
import { at, sagaItem } from '../../support/commits.ts';

const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);

const records = sagaItem({});
const embedded = sagaItem({ schema: 'embedded' });

describe('a commit', () => {
  it.each<[SagaOutboxForm, SagaItem | undefined, string]>([
    ['both', undefined, 'records'],
    ['both', records, 'records'],
    ['both', embedded, 'embedded'],
    ['embedded', records, 'embedded'],
    ['records', embedded, 'records'],
  ])("of the form '%s' leaves the schema as it is, but for what takes it", (form, read, schema) => {
    expect(schemaLeft(form, read)).toBe(schema);
  });

  it('of both forms tells when the last one before it was', () => {
    expect(changeoverLeft('both', undefined)).toEqual(new Date(0));
    expect(changeoverLeft('both', sagaItem({ updatedAt: later(5) }))).toEqual(later(5));
    expect(changeoverLeft('both', sagaItem({ updatedAt: later(5), changeover: at }))).toEqual(at);
  });

  it.each<SagaOutboxForm>(['records', 'embedded'])(
    "of the form '%s' is the last one that the others do not know",
    (form) => {
      expect(changeoverLeft(form, sagaItem({ changeover: at }))).toBeUndefined();
    },
  );
});
