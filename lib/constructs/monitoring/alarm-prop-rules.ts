import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { AnyTopic } from '../construct-types.ts';
import { isElsewhere } from '../destinations/regions.ts';
import { isKnown } from '../is-known.ts';
import { elsewhereProblem } from '../places.ts';
import { canNotify } from './alarm-actions.ts';
import type { AlarmProps } from './alarm-maker.ts';

/** CloudWatch takes no more for one state ("CloudWatch service quotas"). */
const MAX_ACTIONS = 5;

interface TopicFacts {
  readonly setting: string;
  readonly path: string;
  readonly region: string;
  /** Where both are, if the alarms cannot refer to the topic. */
  readonly nameless: string | undefined;
}

/** What the rules look at of the props that alarms have in common. */
export interface AlarmPropFacts {
  /** Of the alarms. */
  readonly region: string;
  readonly topics: readonly TopicFacts[];
  /** The actions that an alarm has beside a topic. */
  readonly otherActions: number;
  /** Undefined also when it is known only at deployment. */
  readonly runbookUrl: string | undefined;
}

/** @returns cause and remedy when the rule is violated */
type Rule = (facts: AlarmPropFacts) => string | undefined;

export const alarmPropRules: readonly Rule[] = [
  function topicsAreInTheRegion({ topics, region }) {
    const other = topics.find((topic) => isElsewhere(topic.region, region));
    if (other === undefined) return undefined;
    return (
      `${other.setting}: '${other.path}' is in ${other.region}, and alarms of ${region} notify topics of their own region ` +
      `only. Use a topic in ${region}.`
    );
  },

  function topicsCanBeReferredTo({ topics, region }) {
    // Another rule tells of another region.
    const other = topics.find((topic) => topic.nameless !== undefined && !isElsewhere(topic.region, region));
    if (other === undefined) return undefined;
    return (
      `${other.setting}: ${other.nameless}, which cannot refer to it without a name. ` +
      'Import the topic by its ARN, or give one of another account a topicName.'
    );
  },

  function actionsFitAnAlarm({ topics, otherActions }) {
    const count = otherActions + (topics.length > 0 ? 1 : 0);
    if (count <= MAX_ACTIONS) return undefined;
    return (
      `alarmActions: an alarm would have ${count} actions, more than the ${MAX_ACTIONS} that CloudWatch takes. ` +
      'Give fewer, or one topic that notifies several.'
    );
  },

  function runbookUrlIsAPage({ runbookUrl }) {
    if (runbookUrl === undefined || isPage(runbookUrl)) return undefined;
    return (
      `runbookUrl: '${runbookUrl}' is no address of a page that the section of an alarm can be added to. ` +
      "Use one that begins with https:// or http:// and has no '#'."
    );
  },
];

/** All violations at once, each with its cause and its remedy. */
export function alarmPropViolations(scope: Construct, props: AlarmProps): string[] {
  const { alarmActions = [], runbookUrl } = props;
  const facts: AlarmPropFacts = {
    region: Stack.of(scope).region,
    topics: topicsOf(props).map(([setting, topic]) => ({
      setting,
      path: topic.node.path,
      region: topic.env.region,
      nameless: canNotify(scope, topic) ? undefined : elsewhereProblem(scope, topic),
    })),
    otherActions: alarmActions.length,
    runbookUrl: isKnown(runbookUrl) ? runbookUrl : undefined,
  };
  return alarmPropRules.map((rule) => rule(facts)).filter((violation) => violation !== undefined);
}

function topicsOf({ topic, topics = {} }: AlarmProps): [setting: string, topic: AnyTopic][] {
  const bySeverity = Object.entries(topics).map(([severity, each]) => [`topics.${severity}`, each] as const);
  const all = [['topic', topic] as const, ...bySeverity];
  return all.flatMap(([setting, each]) => (each === undefined ? [] : [[setting, each]]));
}

function isPage(address: string): boolean {
  return /^https?:\/\/[^\s/#][^\s#]*$/.test(address);
}
