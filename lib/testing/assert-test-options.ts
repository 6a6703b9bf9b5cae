import {
  aFunction,
  aNonEmptyString,
  anObject,
  anyValue,
  assertOptionKinds,
  type OptionCheck,
  trueOrFalse,
  withMethods,
} from '../core/checks/option-checks.ts';
import type { TestOptions } from './test-options.ts';

/** Those with `anyValue` are checked where they are used. */
const optionChecks = {
  claimCheck: anyValue,
  context: anObject,
  defaultMessageType: aNonEmptyString,
  destinations: anyValue,
  endpoint: anyValue,
  logger: withMethods('info', 'warn', 'error'),
  mapper: withMethods('toAttributes', 'fromAttributes'),
  messageFormat: anyValue,
  now: withMethods('toISOString'),
  parse: aFunction,
  publishTo: anyValue,
  scheduler: trueOrFalse,
} satisfies Record<keyof Required<TestOptions>, OptionCheck>;

/** @throws SagaboxError `Configuration` */
export function assertTestOptions(options: TestOptions): void {
  assertOptionKinds('the test kit', options, optionChecks);
}
