import { retryable } from './retryable.ts';

/** Errors of settings: the message of each, made of its facts. */
export const settingErrorMessages = {
  /**
   * A setting is missing, wrong or contradicts another. Options and schemas are checked when the handler is
   * created, the environment with the first message: a missing setting there [fails the
   * invocation](docs/guide/recoverability.md#missing-settings). Also for two `sagaOutbox` on one handler,
   * and, in the log, for a policy whose `ignore` [was
   * refused](docs/guide/recoverability.md#ignoring-a-message).
   *
   * @remedy The error names the setting, the problem and the remedy.
   */
  Configuration: (f: { setting: string; problem: string; remedy: string }) =>
    `${f.setting}: ${f.problem}. ${f.remedy}.`,
  /**
   * Systems Manager did not return the [settings of the
   * function](docs/reference/options.md#variables-that-the-constructs-set). The messages return to their
   * queue.
   *
   * @remedy If it lasts, grant `ssm:GetParameters` on the path that the error names, as the constructs do,
   * and look whether the parameters exist.
   */
  SettingsNotLoaded: retryable(
    (f: { path: string; detail: string }) =>
      `The settings at '${f.path}' in Systems Manager could not be loaded (${f.detail}): ` +
      'messages are returned to their queue, and it is tried again. ' +
      'The role of the function needs ssm:GetParameters on it, as the constructs grant it.',
  ),
};
