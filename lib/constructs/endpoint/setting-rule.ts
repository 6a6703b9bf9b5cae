import type { EndpointSettings } from './message-endpoint-props.ts';

export interface Problem {
  readonly problem: string;
  readonly remedy: string;
}

/** What may be wrong with one setting, alone or beside the others. */
export interface SettingRule {
  readonly name: string;
  readonly setting: keyof EndpointSettings;
  problemOf(settings: EndpointSettings): Problem | undefined;
}
