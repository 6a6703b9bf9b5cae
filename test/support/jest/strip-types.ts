import { stripTypeScriptTypes } from 'node:module';

/** A transform for what Jest loads itself: each line stays where it is. */
export default {
  process: (source: string) => ({ code: stripTypeScriptTypes(source) }),
};
