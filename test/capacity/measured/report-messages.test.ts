import { describe, expect, it } from '@jest/globals';
import { CallRecorder } from 'sagabox/capacity';

describe('the messages of a report', () => {
  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, null, '3'])('are not %j', (messages) => {
    const report = () => new CallRecorder().report({ outgoing: 1 }, { messages: messages as number });
    expect(report).toThrow(expect.objectContaining({ code: 'Configuration' }));
    expect(report).toThrow(/messages must be a whole number of at least 1/);
  });

  it('are a whole number, by default one', () => {
    const recorder = new CallRecorder();
    const planned = (messages?: number) =>
      recorder
        .report({ outgoing: 1 }, messages === undefined ? {} : { messages })
        .steps.reduce((sum, { predicted: { wcu } }) => sum + wcu, 0);
    expect(planned(1)).toBe(planned());
    expect(planned(3)).toBe(3 * planned());
  });
});
