#!/usr/bin/env node
// What `npx sagabox` starts, in plain JavaScript so that it is there without a build. A clone runs its
// sources; the published package, which holds no bin/sagabox.ts, runs what was built of them.
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';

const { engines } = nodeModule.createRequire(import.meta.url)('../package.json');
const [minMajor, minMinor] = engines.node.replace('>=', '').split('.').map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < minMajor || (major === minMajor && minor < minMinor)) {
  console.error(
    `sagabox: Node ${process.versions.node} is too old, ${minMajor}.${minMinor} or newer is needed.`,
  );
  process.exit(1);
}

// Most of the time of a short command goes into reading its modules.
nodeModule.enableCompileCache();

const source = new URL('sagabox.ts', import.meta.url);
const built = new URL('../lib/cli.js', import.meta.url);
await import((existsSync(source) ? source : built).href);
