import { join } from 'node:path';
import { planWorkload, type Workload } from '../../lib/capacity/index.ts';
import { readDataFile } from '../../lib/cli/data-file.ts';
import { planCharts } from '../../lib/cli/plan/plan-charts.ts';

export const imageFolder = join(import.meta.dirname, '../../docs/images');

/** The images of docs/reference/capacity.md, by the names of their files. */
export async function drawImages(): Promise<{ file: string; svg: string }[]> {
  const workload = (await readDataFile(join(import.meta.dirname, 'orders.yaml'))) as Workload;
  return planCharts(workload, planWorkload(workload)).map(({ name, chart }) => ({
    file: `capacity-${name}.svg`,
    svg: `${chart.markup}\n`,
  }));
}
