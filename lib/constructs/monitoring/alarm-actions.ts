import { Annotations, Stack } from 'aws-cdk-lib';
import type { Alarm, IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Construct } from 'constructs';
import { kind, listOf, trueOrFalse } from '../../kernel/checks/checks.ts';
import { type PropChecks, withProps } from '../checks/prop-checks.ts';
import { aTopic, hasMembers } from '../checks/prop-kinds.ts';
import type { AnyTopic } from '../construct-types.ts';
import { canName } from '../destinations/reachable.ts';
import type { AlarmSeverity } from './alarm-settings.ts';
import { allowAlarms } from './alarm-topic-access.ts';

export interface AlarmActionProps {
  /**
   * Receives the notifications of all alarms. The policy of a topic made in the app, and of its key, allows
   * `cloudwatch.amazonaws.com` to notify. Those of an imported topic must allow it, and so must a `TopicPolicy`
   * of your own.
   *
   * @default - no notifications
   */
  readonly topic?: AnyTopic;

  /**
   * A topic for each severity, in place of `topic`.
   *
   * @default - the `topic`
   */
  readonly topics?: Readonly<Partial<Record<AlarmSeverity, AnyTopic>>>;

  /**
   * Further actions of every alarm. You allow what they do, such as `sns:Publish` to a topic of an `SnsAction`.
   *
   * @default - none
   */
  readonly alarmActions?: readonly IAlarmAction[];

  /**
   * Also notifies the topic when an alarm is over, so that a pager can close the incident.
   *
   * @default false
   */
  readonly notifyOnOk?: boolean;
}

export const alarmActionChecks: PropChecks<AlarmActionProps> = {
  topic: aTopic,
  topics: withProps<Required<AlarmActionProps>['topics']>({ critical: aTopic, warning: aTopic }),
  alarmActions: listOf(kind('an action of an alarm', (value) => hasMembers(value, 'bind'))),
  notifyOnOk: trueOrFalse,
};

export function addActions(alarm: Alarm, severity: AlarmSeverity, props: AlarmActionProps): void {
  const topic = props.topics?.[severity] ?? props.topic;
  // One that cannot be referred to is reported.
  if (topic !== undefined && canNotify(alarm, topic)) {
    alarm.addAlarmAction(new SnsAction(topic));
    if (props.notifyOnOk) alarm.addOkAction(new SnsAction(topic));
    allowAlarms(alarm, topic);
  }
  for (const action of props.alarmActions ?? []) alarm.addAlarmAction(action);
}

/** With topics for some severities only, and nothing else, alarms of the others notify nobody. */
export function warnOfMissingTopic(
  scope: Construct,
  severity: AlarmSeverity,
  { topic, topics, alarmActions = [] }: AlarmActionProps,
): void {
  const isMissing = topics !== undefined && (topics[severity] ?? topic) === undefined;
  if (!isMissing || alarmActions.length > 0) return;
  Annotations.of(scope).addWarningV2(
    `sagabox:alarmTopic:${severity}`,
    `topics: there is none for ${severity} alarms, which notify nobody. Give topics.${severity}, or a topic for all.`,
  );
}

/** Whether alarms of the scope can name the topic: CDK would throw. */
export function canNotify(scope: Construct, topic: AnyTopic): boolean {
  return canName(Stack.of(scope), topic, topic.topicArn);
}
