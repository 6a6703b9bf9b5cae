import { type BundlingOptions, LogLevel, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';

const defaultBundling: BundlingOptions = {
  minify: true,
  // The Lambda runtime brings the AWS SDK along.
  externalModules: ['@aws-sdk/*', '@smithy/*'],
  logLevel: LogLevel.WARNING,
};

/** CommonJS packages in the bundle call `require` for Node's own modules; an ES module has none. */
const requireOfNode = "const require = (await import('node:module')).createRequire(import.meta.url);";

/** How a handler is bundled: as an ES module, unless `own` says otherwise. */
export function bundlingOf(own: BundlingOptions): BundlingOptions {
  const { format = OutputFormat.ESM } = own;
  if (format !== OutputFormat.ESM) return { ...defaultBundling, ...own };
  return {
    ...defaultBundling,
    // Packages that ship both are bundled smaller as ES modules.
    mainFields: ['module', 'main'],
    ...own,
    format,
    banner: bannerOf(own.banner),
  };
}

function bannerOf(own: string | undefined): string {
  if (own === undefined) return requireOfNode;
  // Declared twice, the module could not be loaded.
  return /\brequire\s*=/.test(own) ? own : `${requireOfNode} ${own}`;
}
