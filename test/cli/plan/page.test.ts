import { expect, it } from '@jest/globals';
import { planWorkload, type Workload } from '../../../lib/capacity/index.ts';
import { planPage } from '../../../lib/cli/plan/page.ts';
import { elementsOf, parseXml, textOf } from '../../support/xml.ts';

const deduplicationPeriod = { days: 1, hours: 12 };
const workload: Workload = { messagesPerSecond: 1, deduplicationPeriod, message: { outgoing: 1 } };
const plan = planWorkload(workload);

it('the page of a plan escapes what users name', () => {
  const hostile = '</title></td><script>alert("1")</script>\u001b';
  const prices = { ...plan.prices, region: hostile, source: hostile };
  const html = planPage({
    workload: { ...workload, region: hostile as never },
    plan: { ...plan, prices },
    comparison: [{ layout: 'records', locking: 'optimistic', problem: hostile }],
  });
  const page = parseXml(html);
  const shown = hostile.replace('\u001b', '\ufffd');
  expect(elementsOf(page, 'script')).toEqual([]);
  expect(elementsOf(page, 'td').map(textOf)).toEqual(expect.arrayContaining([shown, '1d 12h', '1']));
  const notes = elementsOf(page, 'p').map(textOf);
  expect(notes[0]).toBe(`records, optimistic: ${shown}`);
  expect(notes).toContainEqual(expect.stringContaining(`Prices of ${shown}, as of `));
  expect(elementsOf(page, 'desc').map(textOf).join()).toContain(`Prices of ${shown}`);
});

it('the page of a plan is the same each time, and has its colors for light and dark', () => {
  const html = planPage({ workload, plan });
  expect(planPage({ workload, plan })).toBe(html);
  const styles = elementsOf(parseXml(html), 'style').map(textOf);
  expect(styles).toHaveLength(4);
  for (const style of styles) expect(style).toContain('@media (prefers-color-scheme: dark)');
});
