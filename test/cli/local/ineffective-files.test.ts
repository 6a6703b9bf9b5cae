import { describe, expect, it } from '@jest/globals';
import { IneffectiveFiles } from '../../../lib/cli/local/watch/ineffective-files.ts';

describe('files whose changes do not change the app', () => {
  it('are ignored after the third synth', () => {
    const files = new IneffectiveFiles();
    expect(files.learn(['a.json'], false)).toEqual([]);
    expect(files.learn(['a.json', 'b.yaml'], false)).toEqual([]);
    expect(files.effective(['a.json', 'b.yaml'])).toEqual(['a.json', 'b.yaml']);
    expect(files.learn(['a.json'], false)).toEqual(['a.json']);
    expect(files.effective(['a.json', 'b.yaml', 'c.ts'])).toEqual(['b.yaml', 'c.ts']);
  });

  it('are none that changed it meanwhile', () => {
    const files = new IneffectiveFiles();
    for (const hadEffect of [false, false, true, false, false]) {
      expect(files.learn(['a.json'], hadEffect)).toEqual([]);
    }
    expect(files.effective(['a.json'])).toEqual(['a.json']);
  });

  it('are never code, nor what changes together with code', () => {
    const files = new IneffectiveFiles();
    for (const _ of [1, 2, 3, 4]) expect(files.learn(['a.json', 'handler.ts'], false)).toEqual([]);
    expect(files.effective(['a.json', 'handler.ts'])).toEqual(['a.json', 'handler.ts']);
  });
});
