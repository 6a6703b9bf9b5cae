import * as endpoint from '../../lib/settings/endpoint.ts';
import * as relay from '../../lib/settings/relay.ts';
import * as sending from '../../lib/settings/sending.ts';
import type { Setting } from '../../lib/settings/setting.ts';
import * as tables from '../../lib/settings/tables.ts';

/** Every setting that the constructs give to functions. No code of lib has them all, so that a bundle has few. */
export const allSettings: readonly Setting<unknown, never>[] = Object.values({
  ...endpoint,
  ...tables,
  ...sending,
  ...relay,
}).filter((exported) => typeof exported === 'object' && 'variable' in exported);
