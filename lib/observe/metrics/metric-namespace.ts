/** Sources: "PutMetricData" and "Metrics concepts" of the CloudWatch documentation. */
const MAX_NAMESPACE_LENGTH = 255;
/** CloudWatch takes more, but a metric of the CDK does not. */
const MAX_DIMENSION_LENGTH = 255;
const allowedNamespace = /^[0-9A-Za-z._/#:-]*$/;

/** @returns cause and remedy when CloudWatch would drop the metrics of the namespace */
export function metricNamespaceProblem(
  namespace: string,
): { readonly problem: string; readonly remedy: string } | undefined {
  const { length } = namespace;
  if (length === 0 || length > MAX_NAMESPACE_LENGTH) {
    const remedy = `Use a name of 1 to ${MAX_NAMESPACE_LENGTH} characters`;
    return { problem: `it has ${length} characters`, remedy };
  }
  if (!allowedNamespace.test(namespace) || namespace.startsWith(':')) {
    const remedy = "Use letters, digits and any of . - _ / # :, and another character than ':' to begin with";
    return { problem: `'${namespace}' has characters that CloudWatch does not take there`, remedy };
  }
  if (!namespace.startsWith('AWS/')) return undefined;
  const remedy = "Use a name that does not begin with 'AWS/'";
  return { problem: `'${namespace}' is among the names of AWS's own metrics`, remedy };
}

/** CloudWatch drops a metric with other characters than printable ASCII in the value of a dimension. */
export function dimensionValue(name: string): string {
  return name
    .replace(/[^ -~]/gu, '?')
    .replace(/^[: ]/, '?')
    .slice(0, MAX_DIMENSION_LENGTH);
}
