import type { SettingRule } from './setting-rule.ts';

/** What a given function has of its own, so that the setting would do nothing. */
const settingsOfABundledFunction = [
  'functionTimeout',
  'memorySizeMb',
  'architecture',
  'bundling',
  'recursiveLoop',
  'functionProps',
  'logRetention',
  'aliasName',
] as const;

export const bundledFunctionRules: readonly SettingRule[] = settingsOfABundledFunction.map((setting) => ({
  name: `${setting}IsThatOfABundledFunction`,
  setting,
  problemOf: ({ function: given, [setting]: value }) =>
    given === undefined || value === undefined
      ? undefined
      : {
          problem: 'it is given beside a function, which has its own',
          remedy: 'Set it of the function, or give an entry in place of the function',
        },
}));
