/** One value of a metric, as CloudWatch would take it from a line. */
export interface EmfValue {
  readonly name: string;
  readonly unit: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly value: number;
}

const maxBytes = 256 * 1024;
const oneOf = (problem: string, holds: unknown) => {
  if (!holds) throw new Error(`No document of the embedded metric format: ${problem}`);
};
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 255;
const hasOnly = (object: object, ...names: string[]) =>
  Object.keys(object).toSorted().join() === names.toSorted().join();

/**
 * Reads a line strictly as "Specification: Embedded metric format" has it: members, limits, and nothing that
 * no directive refers to.
 *
 * @throws Error for anything else
 */
export function readEmf(line: string): { readonly timestamp: number; readonly values: EmfValue[] } {
  oneOf(`${Buffer.byteLength(line)} bytes`, Buffer.byteLength(line) <= maxBytes);
  oneOf('more than a line', !/[\r\n]/.test(line));
  const root: unknown = JSON.parse(line);
  oneOf('no object', isObject(root));
  const { _aws: metadata, ...targets } = root as Record<string, unknown>;
  oneOf('_aws', isObject(metadata) && hasOnly(metadata, 'Timestamp', 'CloudWatchMetrics'));
  const { Timestamp, CloudWatchMetrics } = metadata as Record<string, unknown>;
  oneOf('Timestamp', Number.isSafeInteger(Timestamp));
  oneOf('CloudWatchMetrics', Array.isArray(CloudWatchMetrics) && CloudWatchMetrics.length > 0);

  const referred = new Set<string>();
  const values = (CloudWatchMetrics as unknown[]).flatMap((directive) => {
    oneOf('directive', isObject(directive) && hasOnly(directive, 'Namespace', 'Dimensions', 'Metrics'));
    const { Namespace, Dimensions, Metrics } = directive as Record<string, unknown[]>;
    oneOf('Namespace', isName(Namespace) && /^(?!AWS\/|:)[\w./#:-]+$/.test(Namespace));
    oneOf('Dimensions', Array.isArray(Dimensions) && Dimensions.length > 0);
    oneOf('Metrics', Array.isArray(Metrics) && Metrics.length > 0 && Metrics.length <= 100);
    return (Dimensions ?? []).flatMap((set) => {
      oneOf('DimensionSet', Array.isArray(set) && set.length <= 9 && set.every(isName));
      const dimensions = (set as string[]).map((name) => {
        const value = targets[name];
        const isValue = typeof value === 'string' && /^[!-~][ -~]{0,1023}$/.test(value) && value[0] !== ':';
        oneOf(`value of the dimension ${name}`, isValue);
        referred.add(name);
        return [name, value as string] as const;
      });
      return (Metrics ?? []).flatMap((definition) => {
        oneOf('MetricDefinition', isObject(definition) && hasOnly(definition, 'Name', 'Unit'));
        const { Name: name, Unit: unit } = definition as { Name: string; Unit: string };
        oneOf('Name', isName(name));
        oneOf('Unit', /^(Seconds|Milliseconds|Count)$/.test(unit));
        const target = targets[name];
        const numbers: unknown[] = Array.isArray(target) ? target : [target];
        const fits = numbers.length > 0 && numbers.length <= 100;
        oneOf(`values of ${name}`, fits && numbers.every((value) => Number.isFinite(value)));
        referred.add(name);
        return numbers.map((value) => ({
          name,
          unit,
          dimensions: Object.fromEntries(dimensions),
          value: value as number,
        }));
      });
    });
  });
  oneOf('members that no directive refers to', hasOnly(targets, ...referred));
  return { timestamp: Timestamp as number, values };
}

/** `{ 'MessagesHandled endpoint=orders': 3 }` */
export function emfSums(lines: readonly string[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { name, dimensions, value } of lines.flatMap((line) => readEmf(line).values)) {
    const key = [name, ...Object.entries(dimensions).map((dimension) => dimension.join('='))].join(' ');
    sums[key] = (sums[key] ?? 0) + value;
  }
  return sums;
}
