#!/usr/bin/env node
// What `npx sagabox` starts, in plain JavaScript so that it is there without a build. A clone runs its
// sources; the published package, which holds no bin/sagabox.ts, runs what was built of them.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';

// Most of the time of a short command goes into reading its modules.
enableCompileCache();

const source = new URL('sagabox.ts', import.meta.url);
const built = new URL('../dist/bin/sagabox.js', import.meta.url);
await import((existsSync(source) ? source : built).href);
