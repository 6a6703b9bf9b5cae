import {
  GraphWidget,
  type HorizontalAnnotation,
  type IMetric,
  type IWidget,
} from 'aws-cdk-lib/aws-cloudwatch';

/** Columns. */
export const dashboardWidth = 24;
const HEIGHT = 6;

export interface Graph {
  readonly title: string;
  /** Those that there is nothing to show for are left out, and a graph of none with them. */
  readonly left: readonly (IMetric | undefined)[];
  readonly leftAnnotations?: HorizontalAnnotation[];
}

/** The graphs side by side, in the whole width. */
export function graphRow(graphs: readonly Graph[]): IWidget[] {
  const shown = graphs
    .map(({ left, ...graph }) => ({ ...graph, left: left.filter((metric) => metric !== undefined) }))
    .filter(({ left }) => left.length > 0);
  const size = { width: Math.floor(dashboardWidth / shown.length), height: HEIGHT };
  return shown.map((graph) => new GraphWidget({ ...graph, ...size, leftYAxis: { min: 0 } }));
}
