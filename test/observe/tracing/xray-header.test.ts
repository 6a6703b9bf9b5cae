import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readXRayHeader, xrayHeader } from '../../../lib/observe/tracing/xray-header.ts';
import { sampled } from '../../support/samples.ts';

const root = 'Root=1-5759e988-bd862e3fe1be46a994272793';
const parent = 'Parent=53995c3f42cd8ad8';
const context = { traceId: '5759e988bd862e3fe1be46a994272793', spanId: '53995c3f42cd8ad8', isSampled: true };

describe('readXRayHeader', () => {
  it.each([
    `${root};${parent};Sampled=1`,
    `Sampled=1; ${parent}; ${root};`,
    `${root};${parent};Sampled=1;Lineage=1:a87bd80c:0;Self=1-67891234-12456789abcdef012345678`,
  ])('reads %s', (header) => {
    expect(readXRayHeader(header)).toEqual(context);
  });

  it.each([
    undefined,
    '',
    root,
    `${root};Sampled=1`,
    `${root};${parent}`,
    `${root};${parent};Sampled=0`,
    `${root};${parent};Sampled=?`,
    `${root}0;${parent};Sampled=1`,
    `Root=2-5759e988-bd862e3fe1be46a994272793;${parent};Sampled=1`,
    `${root};Parent=0000000000000000;Sampled=1`,
    `${root};Parent=53995c3f42cd8ad;Sampled=1`,
    `${root.toUpperCase()};${parent};Sampled=1`,
    `${root} ${parent} Sampled=1`,
    ';;;===;',
  ])('does not go on with %j', (header) => {
    expect(readXRayHeader(header)).toBeUndefined();
  });
});

describe('xrayHeader', () => {
  const other = 'Root=1-00000001-000000000000000000000001;Parent=0000000000000001;Sampled=1';

  it.each([
    [true, '1'],
    [false, '0'],
  ])('has the message in place of the request: sampled %s', (isSampled, flag) => {
    expect(xrayHeader({ ...context, isSampled }, other)).toBe(`${root};${parent};Sampled=${flag}`);
  });

  it('keeps what else the header of the request carries', () => {
    const header = xrayHeader(context, `Lineage=1:a87bd80c:0;${other};Self=1-2-3; ;spoiled`);
    expect(header).toBe(`${root};${parent};Sampled=1;Lineage=1:a87bd80c:0;Self=1-2-3`);
  });
});

it.each([
  [500, 'written'],
  [501, 'left out'],
])('a header of %i characters is %s', (length, result) => {
  const isWritten = result === 'written';
  const fixed = `${root};${parent};Sampled=1;Lineage=`.length;
  const header = xrayHeader(context, `Lineage=${'x'.repeat(length - fixed)}`);
  expect(header?.length).toBe(isWritten ? length : undefined);
});

it('any header is read or ignored, and what is written is read again', () => {
  const field = fc.oneof(fc.constantFrom('Root', 'Parent', 'Sampled', '=', ';', '1'), fc.string());
  const headers = fc.array(field).map((parts) => parts.join('='));
  fc.assert(
    fc.property(headers, (header) => {
      readXRayHeader(header);
      expect(readXRayHeader(xrayHeader(context, header))).toEqual(context);
    }),
    sampled(1000),
  );
});
