import { expect, it } from '@jest/globals';
import { typeCheck } from '../docs/type-check.ts';
import { wrongUses, wrongUsesCode } from './wrong-uses.ts';

it('each wrong use does not compile, with a message that names what is allowed', () => {
  const block = { path: 'wrong-uses.md', line: 1, code: wrongUsesCode };
  const errors = typeCheck([block]);

  const said = (errors.get(block) ?? []).map((error) => {
    const [, line = '', message] = /^wrong-uses\.md:(\d+): error ([^\n]*)/.exec(error) ?? [];
    return [wrongUsesCode.split('\n')[Number(line) - 1]?.replace(/;$/, ''), message];
  });
  expect(said).toEqual(wrongUses.map(([call, message]) => [call, message]));
  expect(errors.get(undefined)).toBeUndefined();
});
