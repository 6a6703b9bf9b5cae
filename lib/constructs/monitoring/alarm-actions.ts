import { Stack } from 'aws-cdk-lib';
import type { Alarm, IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Construct } from 'constructs';
import type { AnyTopic } from '../any-resource.ts';
import { aTopic, hasMembers, trueOrFalse } from '../checks/kinds.ts';
import { aListOf, type PropChecks, propOf, withProps } from '../checks/prop-checks.ts';
import { isElsewhere } from '../destinations/regions.ts';
import type { Violations } from '../violations.ts';
import type { AlarmSeverity } from './alarm-settings.ts';

/** CloudWatch takes no more for one state ("CloudWatch service quotas"). */
const MAX_ACTIONS = 5;

export interface AlarmActionProps {
  /**
   * Receives the notifications of all alarms. If the topic has a customer managed key, the key policy must
   * allow `cloudwatch.amazonaws.com`.
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
   * Further actions of every alarm.
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
  alarmActions: aListOf(propOf('an action of an alarm', (value) => hasMembers(value, 'bind'))),
  notifyOnOk: trueOrFalse,
};

export function addActions(alarm: Alarm, severity: AlarmSeverity, props: AlarmActionProps): void {
  const topic = props.topics?.[severity] ?? props.topic;
  if (topic !== undefined) {
    alarm.addAlarmAction(new SnsAction(topic));
    if (props.notifyOnOk) alarm.addOkAction(new SnsAction(topic));
  }
  for (const action of props.alarmActions ?? []) alarm.addAlarmAction(action);
}

export function checkActions(scope: Construct, props: AlarmActionProps, violations: Violations): void {
  const { topic, topics = {}, alarmActions = [] } = props;
  const named: [setting: string, topic: AnyTopic | undefined][] = [
    ['topic', topic],
    ...Object.entries(topics).map(([severity, each]): [string, AnyTopic] => [`topics.${severity}`, each]),
  ];
  const { region } = Stack.of(scope);
  for (const [setting, each] of named) {
    if (each === undefined || !isElsewhere(each.env.region, region)) continue;
    const problem = `'${each.node.path}' is in ${each.env.region}, and alarms of ${region} notify topics of their own region only`;
    violations.add(setting, problem, `Use a topic in ${region}`);
  }
  const count = alarmActions.length + (named.some(([, each]) => each !== undefined) ? 1 : 0);
  if (count <= MAX_ACTIONS) return;
  const problem = `an alarm would have ${count} actions, more than the ${MAX_ACTIONS} that CloudWatch takes`;
  violations.add('alarmActions', problem, 'Give fewer, or one topic that notifies several');
}
