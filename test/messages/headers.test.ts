import { describe, expect, it } from '@jest/globals';
import { isTraceParent } from '../../lib/messages/headers.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';

describe('isTraceParent', () => {
  it.each([
    `00-${traceId}-${parentId}-01`,
    `cc-${traceId}-${parentId}-00`,
    `01-${traceId}-${parentId}-01-more`,
    `0f-${traceId}-${parentId}-01-what-the-future=brings`,
    `01-${traceId}-${parentId}-01-`,
    `01-${traceId}-${parentId}-01-${'x'.repeat(200)}`,
  ])('takes %s', (header) => {
    expect(isTraceParent(header)).toBe(true);
  });

  it.each([
    undefined,
    '',
    'garbage',
    `ff-${traceId}-${parentId}-01`,
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${traceId}-${parentId}-01\n`,
    `00-${traceId}-${parentId}-01-more`,
    `00-${traceId}-${parentId}-01-`,
    `01-${traceId}-${parentId}-01-${'x'.repeat(201)}`,
    `01-${traceId}-${parentId}-01more`,
    `01-${traceId}-${parentId}-01-é`,
    `01-${traceId}-${parentId}-01-more\n`,
    `ff-${traceId}-${parentId}-01-more`,
    `00-${traceId.slice(1)}-${parentId}-01`,
  ])('takes no %j', (header) => {
    expect(isTraceParent(header)).toBe(false);
  });
});
