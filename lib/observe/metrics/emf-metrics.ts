import { type MetricUnit, metricDimensions, metricNames } from './metric-names.ts';
import { dimensionValue } from './metric-namespace.ts';

/** Takes the metrics of one invocation. */
export interface MetricsRecorder {
  /** @param messageType of the message that it is about, as its sender named it */
  add(name: string, unit: MetricUnit, value: number, messageType?: string): void;
}

export interface EmfSettings {
  readonly namespace: string;
  readonly endpoint: string;
  /**
   * Counts some metrics by these message types too, and those of all other types as 'unknown': each new value
   * of a dimension costs as much as a metric, and senders must not make any.
   *
   * @default - metrics are counted by endpoint alone
   */
  readonly messageTypes?: ReadonlySet<string> | undefined;
}

/** One sum for a count; otherwise each value. */
interface Recorded {
  readonly unit: MetricUnit;
  readonly values: number[];
}

type Metrics = Map<string, Recorded>;

/** Source: "Specification: Embedded metric format". */
const MAX_VALUES = 100;
const UNKNOWN_TYPE = 'unknown';
const byTypeToo: ReadonlySet<string> = new Set([
  metricNames.handled,
  metricNames.failed,
  metricNames.duration,
]);
const { endpoint: ENDPOINT, messageType: MESSAGE_TYPE } = metricDimensions;

/**
 * The metrics of one invocation, as lines of the embedded metric format, of which CloudWatch makes metrics.
 */
export class EmfMetrics implements MetricsRecorder {
  readonly #settings: EmfSettings;
  readonly #byEndpoint: Metrics = new Map();
  readonly #byType = new Map<string, Metrics>();

  constructor(settings: EmfSettings) {
    this.#settings = settings;
  }

  add(name: string, unit: MetricUnit, value: number, messageType?: string): void {
    const metrics = this.#metricsOf(name, messageType);
    const recorded = metrics.get(name);
    if (recorded === undefined) metrics.set(name, { unit, values: [value] });
    else if (unit === 'Count') recorded.values[0] = (recorded.values[0] ?? 0) + value;
    else recorded.values.push(value);
  }

  /**
   * One line for an invocation: more only for over 100 values of a metric, and one for each message type where
   * metrics are counted by them. None when nothing was counted.
   */
  lines(at: Date): string[] {
    const [first, ...others] = this.#byType;
    const groups = [
      { metrics: this.#byEndpoint, messageType: first?.[0], typed: first?.[1] ?? new Map() },
      ...others.map(([messageType, typed]) => ({ metrics: new Map(), messageType, typed })),
    ];
    return groups.flatMap(({ metrics, messageType, typed }) => {
      const lengths = [...metrics.values(), ...typed.values()].map(({ values }) => values.length);
      const lines = Math.ceil(Math.max(0, ...lengths) / MAX_VALUES);
      return Array.from({ length: lines }, (_, index) => {
        const part = [index * MAX_VALUES, (index + 1) * MAX_VALUES] as const;
        return this.#line(at, messageType, partOf(metrics, part), partOf(typed, part));
      });
    });
  }

  #metricsOf(name: string, messageType: string | undefined): Metrics {
    const { messageTypes } = this.#settings;
    if (messageTypes === undefined || !byTypeToo.has(name)) return this.#byEndpoint;
    const isKnown = messageType !== undefined && messageTypes.has(messageType);
    const type = isKnown ? messageType : UNKNOWN_TYPE;
    const metrics = this.#byType.get(type) ?? new Map();
    this.#byType.set(type, metrics);
    return metrics;
  }

  #line(at: Date, messageType: string | undefined, metrics: Metrics, typed: Metrics): string {
    const { namespace, endpoint } = this.#settings;
    const directive = (Dimensions: string[][], recorded: Metrics) =>
      recorded.size === 0
        ? []
        : [{ Namespace: namespace, Dimensions, Metrics: [...recorded].map(definitionOf) }];
    return JSON.stringify({
      _aws: {
        Timestamp: at.getTime(),
        CloudWatchMetrics: [
          ...directive([[ENDPOINT]], metrics),
          ...directive([[ENDPOINT], [ENDPOINT, MESSAGE_TYPE]], typed),
        ],
      },
      [ENDPOINT]: dimensionValue(endpoint),
      ...(messageType !== undefined && { [MESSAGE_TYPE]: dimensionValue(messageType) }),
      ...Object.fromEntries([...metrics, ...typed].map(targetOf)),
    });
  }
}

/** Those of the values that one line takes. */
function partOf(metrics: Metrics, [begin, end]: readonly [number, number]): Metrics {
  const parts = [...metrics].map(
    ([name, { unit, values }]) => [name, { unit, values: values.slice(begin, end) }] as const,
  );
  return new Map(parts.filter(([, { values }]) => values.length > 0));
}

function definitionOf([Name, { unit: Unit }]: [string, Recorded]) {
  return { Name, Unit };
}

function targetOf([name, { values }]: [string, Recorded]): [string, number | number[] | undefined] {
  return [name, values.length === 1 ? values[0] : values];
}
