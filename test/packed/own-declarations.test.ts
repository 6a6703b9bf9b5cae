import { expect, it } from '@jest/globals';
import { assertOwnDeclarations } from './own-declarations.ts';

const ofPeer = '../node_modules/aws-cdk-lib/index.d.ts(4,61): error TS2420: Wrong.\n  Of a property.\n';
const ofPackage = '../node_modules/sagabox/lib/index.d.ts(1,2): error TS2304: Cannot find a name.\n';

it.each([
  ['no errors', { code: 0, stdout: '' }],
  ['errors of peers', { code: 2, stdout: ofPeer }],
])('the declarations are right with %s', (_what, compilation) => {
  expect(() => assertOwnDeclarations(compilation)).not.toThrow();
});

it.each([
  ['an error of the package', { code: 2, stdout: ofPeer + ofPackage }, 'are refused'],
  ['an error of their use', { code: 2, stdout: 'whole-api.ts(3,4): error TS2322: Wrong.\n' }, 'are refused'],
  ['a refused option', { code: 1, stdout: "error TS5023: Unknown compiler option '--x'.\n" }, 'ended with 1'],
  ['a missing file', { code: 2, stdout: "error TS6053: File 'whole-api.ts' not found.\n" }, 'ended with 2'],
  ['a compiler that is not there', { code: 1, stdout: '' }, 'ended with 1'],
  ['a program that is not there', { code: 'ENOENT', stdout: '' }, 'ended with ENOENT'],
  ['a killed compiler', { code: null, stdout: ofPeer }, 'ended with null'],
])('they are not with %s', (_what, compilation, problem) => {
  expect(() => assertOwnDeclarations(compilation)).toThrow(problem);
});
