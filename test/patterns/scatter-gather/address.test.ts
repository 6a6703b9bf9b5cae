import { describe, expect, it } from '@jest/globals';
import {
  isPartId,
  nodeId,
  parentOf,
  partOf,
  readRequestId,
  requestIdOf,
} from '../../../lib/patterns/scatter-gather/address.ts';

const root = { id: 'order/4 2\n', run: '0f9c2d1e-0000-8000-8000-000000000000', path: '' };

describe('the address of a node', () => {
  it('leads from a root to its parts and back', () => {
    const part = partOf(partOf(root, 3), 0);
    expect(part).toEqual({ ...root, path: '3.0' });
    expect(parentOf(part)).toEqual({ address: { ...root, path: '3' }, part: 0 });
    expect(parentOf(partOf(part, 12))).toEqual({ address: part, part: 12 });
    expect(parentOf({ ...root, path: '3' })).toEqual({ address: root, part: 3 });
    expect(parentOf(root)).toBeUndefined();
  });

  it('is the id of the scatter-gather for a root, and no id that a root can have for a part', () => {
    expect(nodeId(root)).toBe(root.id);
    expect(isPartId(nodeId(root))).toBe(false);
    expect(isPartId(nodeId(partOf(root, 3)))).toBe(true);
  });

  it('is read back from the id of a request, whatever its scatter-gather is called', () => {
    for (const sender of [root, partOf(root, 12)]) {
      expect(readRequestId(requestIdOf(sender, 999))).toEqual({ sender, index: 999 });
    }
  });

  it.each(['', '42', `42/${root.run}/0`, `42/${root.run}/x/1`, `/${root.run}/0/1`])(
    'is not in the string %j',
    (requestId) => expect(readRequestId(requestId)).toBeUndefined(),
  );
});
