import { describe, expect, it } from '@jest/globals';
import type { NodeAddress } from '../../../lib/patterns/scatter-gather/address.ts';
import {
  cancelSchema,
  partSchema,
  reportSchema,
  timedOutSchema,
} from '../../../lib/patterns/scatter-gather/messages.ts';

const run = '0f9c2d1e-0000-8000-8000-000000000000';
const rest = { waitsMs: 1, first: 0, requests: [], part: 0, result: null, missing: [] };

const schemas = { Part: partSchema, Report: reportSchema, TimedOut: timedOutSchema, Cancel: cancelSchema };

async function problems(name: keyof typeof schemas, address: NodeAddress) {
  const { issues = [] } = await schemas[name]['~standard'].validate({ ...address, ...rest });
  return issues.map(({ path }) => path?.join('.'));
}

describe.each(Object.keys(schemas) as (keyof typeof schemas)[])('the address in a message %s', (name) => {
  it.each(['', '0', '3.0', '12.345.6'])('has a path of numbers: %j', async (path) => {
    expect(await problems(name, { id: 'order/4 2', run, path })).toEqual([]);
  });

  // With 'victim', '1' and '2' it would be the scatter-gather 'victim/1/2', which somebody else may have started.
  it.each<[string, NodeAddress, string]>([
    ['a run that is no UUID', { id: 'victim', run: '1', path: '2' }, 'run'],
    ['a run with a slash', { id: 'victim', run: `1/${run}`, path: '2' }, 'run'],
    ['a path with a slash', { id: 'victim', run, path: `1/${run}/2` }, 'path'],
    ['a path that is no number', { id: 'victim', run, path: 'x' }, 'path'],
    ['a path that ends with a dot', { id: 'victim', run, path: '1.' }, 'path'],
  ])('is refused with %s', async (_what, address, place) => {
    expect(await problems(name, address)).toEqual([place]);
  });
});
