import { type Runtime, RuntimeFamily } from 'aws-cdk-lib/aws-lambda';

/** As `engines` of the package has it. */
const MIN_NODE = 22;

const otherLanguages: readonly (RuntimeFamily | undefined)[] = [
  RuntimeFamily.PYTHON,
  RuntimeFamily.JAVA,
  RuntimeFamily.DOTNET_CORE,
  RuntimeFamily.GO,
  RuntimeFamily.RUBY,
];

/**
 * A runtime that cannot run sagabox, by its name and why; undefined for any other. An image or a runtime of
 * one's own may run JavaScript.
 */
export function unusableRuntime({ name, family }: Runtime): string | undefined {
  if (otherLanguages.includes(family)) return `'${name}', which runs no JavaScript`;
  const [isNode, version] = /^nodejs(\d*)/.exec(name) ?? [];
  if (isNode === undefined || Number(version) >= MIN_NODE) return undefined;
  return `'${name}', which is older than the Node.js ${MIN_NODE} that sagabox needs`;
}
