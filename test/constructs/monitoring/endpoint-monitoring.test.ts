import { describe, expect, it } from '@jest/globals';
import { type App, Stack, Stage } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import {
  EndpointMonitoring,
  type EndpointMonitoringProps,
  type MessageEndpointProps,
  OutboxTable,
  SagaTable,
} from 'sagabox/constructs';
import type { EndpointAlarmName } from '../../../lib/constructs/monitoring/endpoint-alarm-rows.ts';
import { expectViolation, inlineEndpoint, refOf, refusal, unbundledStack, violationsOf } from '../support.ts';
import { alarmsOf, barelyMonitored, monitored, rendered, widgetsOf } from './support.ts';

function topicsOf(): { stack: Stack; pager: Topic; tickets: Topic } {
  const stack = unbundledStack();
  return { stack, pager: new Topic(stack, 'Pager'), tickets: new Topic(stack, 'Tickets') };
}

function monitoredWith(
  stack: Stack,
  props: Partial<EndpointMonitoringProps>,
  endpointProps: Partial<MessageEndpointProps> = {},
) {
  const endpoint = inlineEndpoint(stack, 'Orders', endpointProps);
  return new EndpointMonitoring(stack, 'Monitoring', { endpoint, ...props });
}

const silenced = { actionsEnabled: false };
const withoutWarnings = {
  timeToDrain: silenced,
  functionThrottles: silenced,
};

describe('the actions of alarms', () => {
  it('are none by default', () => {
    const alarms = Object.values(alarmsOf(barelyMonitored().stack));
    expect(alarms.map(({ AlarmActions }) => AlarmActions)).toEqual(alarms.map(() => undefined));
  });

  it('notify one topic, or one for a severity', () => {
    const { stack, pager, tickets } = topicsOf();
    monitoredWith(stack, { topic: tickets, topics: { critical: pager } });
    const alarms = alarmsOf(stack);
    expect(alarms['orders:deadLetters']).toMatchObject({ AlarmActions: [refOf('Pager')] });
    expect(alarms['orders:errors']).toMatchObject({ AlarmActions: [refOf('Tickets')] });
    expect(alarms['orders:errors']?.OKActions).toBeUndefined();
  });

  it('notify of the end of an alarm too, if told', () => {
    const { stack, pager } = topicsOf();
    monitoredWith(stack, { topic: pager, notifyOnOk: true });
    for (const { OKActions } of Object.values(alarmsOf(stack))) expect(OKActions).toEqual([refOf('Pager')]);
  });

  it.each([
    [4, 'no problem'],
    [5, 'alarmActions: an alarm would have 6 actions, more than the 5 that CloudWatch takes.'],
  ])('are a topic and %d others: %s', (count, listed) => {
    const report = listed === 'no problem' ? '' : listed;
    const { stack, pager } = topicsOf();
    const alarmActions = Array.from(
      { length: count },
      (_, index) => new SnsAction(new Topic(stack, `T${index}`)),
    );
    monitoredWith(stack, { topic: pager, alarmActions });
    expectViolation(stack, report);
  });

  it.each<[string, (topic: Topic) => Partial<EndpointMonitoringProps>, ('critical' | 'warning')[]]>([
    ['a topic for warnings only', (warning) => ({ topics: { warning } }), ['critical']],
    ['a topic for critical alarms only', (critical) => ({ topics: { critical } }), ['warning']],
    [
      'a topic that is undefined',
      () => ({ topics: { critical: undefined } as never }),
      ['critical', 'warning'],
    ],
    ['a topic for each severity', (topic) => ({ topics: { critical: topic, warning: topic } }), []],
    ['a topic for all', (topic) => ({ topic, topics: { critical: topic } }), []],
    ['another action', (topic) => ({ topics: { warning: topic }, alarmActions: [new SnsAction(topic)] }), []],
    ['none', () => ({}), []],
    ['no alarm without a topic', (warning) => ({ topics: { warning }, alarms: false }), []],
    [
      'alarms without actions by intent',
      (critical) => ({ topics: { critical }, alarms: withoutWarnings }),
      [],
    ],
  ])('warn of alarms that notify nobody, with %s', (_which, props, severities) => {
    const { stack, pager } = topicsOf();
    monitoredWith(stack, props(pager), { errorQueue: false });
    const warnings = Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('^topics: '));
    expect(warnings.map(({ id, entry }) => [id, entry.data]).toSorted()).toEqual(
      severities.map((severity) => [
        '/Test/Monitoring',
        `topics: there is none for ${severity} alarms, which notify nobody. Give topics.${severity}, or a topic for all. ` +
          `[ack: sagabox:alarmTopic:${severity}]`,
      ]),
    );
  });

  it.each([
    ['eu-west-1', 'no problem'],
    ['eu-west-2', "topics.critical: 'Test/Pager' is in eu-west-2, and alarms of eu-west-1"],
  ])('are in the region of the alarms, with a topic of %s: %s', (region, listed) => {
    const report = listed === 'no problem' ? '' : listed;
    const app = unbundledStack().node.root as App;
    const stack = new Stack(app, 'Shop', { env: { account: '111111111111', region: 'eu-west-1' } });
    const critical = Topic.fromTopicArn(stack, 'Pager', `arn:aws:sns:${region}:111111111111:pager`);
    monitoredWith(stack, { topics: { critical } });
    expectViolation(stack, report.replace('Test/', 'Shop/'));
  });
});

describe('the names of alarms', () => {
  it('are made of a prefix, the endpoint and the alarm', () => {
    const { stack } = monitored({ alarmNamePrefix: 'shop' });
    const names = Object.values(alarmsOf(stack)).map(({ AlarmName }) => AlarmName);
    expect(names).toContain('shop-orders-deadLetters');
    expect(names).toContain('shop-orders-OutboxTable-readThrottles');
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    [255 - '-orders-durationNearTimeout'.length, 'no problem'],
    [256 - '-orders-functionThrottles'.length, 'alarmNamePrefix: an alarm name has 256 characters.'],
  ])('with a prefix of %d characters: %s', (length, listed) => {
    const report = listed === 'no problem' ? '' : listed;
    const { stack } = barelyMonitored({ alarmNamePrefix: 'p'.repeat(length) });
    expectViolation(stack, report);
  });

  it('link to the sections of a runbook of your own', () => {
    const { stack } = barelyMonitored({ runbookUrl: 'https://wiki.example.com/run' });
    expect(alarmsOf(stack)['orders:silent']?.AlarmDescription).toContain(
      'Runbook: https://wiki.example.com/run#silent-messages-wait-and-none-is-handled\n',
    );
  });
});

describe('EndpointMonitoring', () => {
  it('finds alarms by their names', () => {
    const { monitoring } = monitored();
    expect(monitoring.alarmsNamed('functionErrors', 'readThrottles')).toHaveLength(3);
    const error = refusal(() => monitoring.alarmsNamed('errors', 'idle' as never));
    expect(error.code).toBe('Configuration');
    expect(error.message).toContain("names[1]: 'idle' is not known. Use 'deadLetters' or 'errors' or ");
  });

  it.each<[EndpointAlarmName, Partial<EndpointMonitoringProps>, string]>([
    ['errors', { alarms: false }, 'alarms: false leaves all out. Leave alarms out, or the name.'],
    [
      'errors',
      { alarms: { errors: false } },
      'alarms.errors: false leaves it out. Leave alarms.errors out, or the name.',
    ],
    [
      'errors',
      {},
      "'Test/Orders' has nothing that it could watch. Leave the name out: errors needs an error queue.",
    ],
    [
      'retries',
      {},
      "'Test/Orders' has nothing that it could watch. Leave the name out: retries needs metricsNamespace of the endpoint.",
    ],
  ])('refuses to find %s that it leaves out with %j', (name, props, why) => {
    const { monitoring } = barelyMonitored(props, { errorQueue: false });
    const error = refusal(() => monitoring.alarmsNamed(name));
    expect(error.code).toBe('Configuration');
    expect(error.message).toBe(`alarmsNamed of 'Test/Monitoring': it has no alarm '${name}': ${why}`);
  });

  it('refuses to find what is watched elsewhere, with where', () => {
    const { stack, orders, relay } = monitored({}, { sagaTable: undefined } as never);
    const second = new EndpointMonitoring(stack, 'Second', { endpoint: orders, relay, dashboard: false });
    for (const [name, shared] of [
      ['relayErrors', 'Relay'],
      ['unsentTimeouts', 'Scheduler'],
      ['readThrottles', 'Outbox'],
    ] as const) {
      expect(refusal(() => second.alarmsNamed(name)).message).toBe(
        `alarmsNamed of 'Test/Second': it has no alarm '${name}': 'Test/Monitoring' watches 'Test/${shared}'. ` +
          'Take the alarm from there: by alarmsNamed, or of a table from capacityAlarms.',
      );
    }
    expect(second.alarmsNamed('undispatched')).toHaveLength(1);
  });

  it('refuses to find the alarms of a table that watches itself', () => {
    const stack = unbundledStack();
    const monitoring = monitoredWith(
      stack,
      {},
      {
        sagaTable: new SagaTable(stack, 'Sagas', { capacityAlarms: true }),
        outboxTable: new OutboxTable(stack, 'Outbox', { capacityAlarms: true }),
      },
    );
    expect(refusal(() => monitoring.alarmsNamed('readThrottles')).message).toContain(
      "it has no alarm 'readThrottles': 'Test/Sagas' watches itself, and 'Test/Outbox' watches itself. Take",
    );
  });

  it('leaves it to the synth to report an endpoint that it cannot watch', () => {
    const { stack, orders } = barelyMonitored();
    const other = new Stack(stack.node.root as App, 'Other', { env: { region: 'eu-west-1' } });
    const elsewhere = new EndpointMonitoring(other, 'Monitoring', { endpoint: orders });
    expect(elsewhere.alarmsNamed('errors')).toEqual([]);
    expectViolation(stack, '[Other/Monitoring] endpoint: ');
  });

  it('leaves all alarms out', () => {
    const { stack, monitoring } = monitored({ alarms: false });
    expect(monitoring.alarms).toEqual([]);
    expect(alarmsOf(stack)).toEqual({});
    expect(widgetsOf(stack).some(({ type }) => type === 'alarm')).toBe(false);
  });

  it('stands in a stack of its own', () => {
    const { stack, orders, relay } = monitored({ alarms: false, dashboard: false });
    const other = new Stack(stack.node.root as App, 'Other');
    new EndpointMonitoring(other, 'Monitoring', {
      endpoint: orders,
      relay,
      topic: new Topic(other, 'Pager'),
    });
    expect(violationsOf(stack)).toBe('');
    expect(Object.keys(alarmsOf(other)).length).toBeGreaterThan(20);
    expect(alarmsOf(stack)).toEqual({});
    expect(rendered(widgetsOf(other)[0]?.properties.markdown)).toContain('<Test:ExportsOutput');
  });

  it.each([
    ['eu-west-1', 'no problem'],
    [
      'eu-west-2',
      "endpoint: 'Shop/Orders' is in account 111111111111, region eu-west-1, and 'Other/Monitoring' in account 111111111111, " +
        'region eu-west-2, and alarms watch metrics of their own account and region',
    ],
  ])('stands in the region of the endpoint, in %s: %s', (region, listed) => {
    const report = listed === 'no problem' ? '' : listed;
    const app = unbundledStack().node.root as App;
    const account = '111111111111';
    const shop = new Stack(app, 'Shop', {
      env: { account, region: 'eu-west-1' },
      crossRegionReferences: true,
    });
    const other = new Stack(app, 'Other', { env: { account, region }, crossRegionReferences: true });
    const endpoint = inlineEndpoint(shop, 'Orders');
    new EndpointMonitoring(other, 'Monitoring', { endpoint, dashboard: false });
    expectViolation(other, report);
  });

  it('has the same logical ids under a Stage', () => {
    const idsUnder = (scope: App | Stage) => {
      const stack = new Stack(scope, 'Shop', { stackName: 'shop' });
      new EndpointMonitoring(stack, 'Monitoring', { endpoint: inlineEndpoint(stack, 'Orders') });
      return Object.keys(Template.fromStack(stack).findResources('AWS::CloudWatch::Alarm'));
    };
    const app = () => unbundledStack().node.root as App;
    const ids = idsUnder(app());
    expect(ids).toHaveLength(7);
    expect(idsUnder(new Stage(app(), 'Prod'))).toEqual(ids);
  });

  it('adds a resource for each alarm and one for the dashboard', () => {
    const { stack, monitoring } = monitored();
    const { Resources } = Template.fromStack(stack).toJSON();
    const added = Object.keys(Resources).filter((id) => id.startsWith('Monitoring'));
    expect(added).toHaveLength(monitoring.alarms.length + 1);
    expect(monitoring.alarms).toHaveLength(28);
  });
});

describe('the dashboard', () => {
  it('is none if told', () => {
    const { stack, monitoring } = barelyMonitored({ dashboard: false });
    expect(monitoring.dashboard).toBeUndefined();
    Template.fromStack(stack).resourceCountIs('AWS::CloudWatch::Dashboard', 0);
  });

  it('is given, and shared by several endpoints', () => {
    const stack = unbundledStack();
    const dashboard = new Dashboard(stack, 'Shop');
    for (const id of ['Orders', 'Billing']) {
      const endpoint = inlineEndpoint(stack, id);
      new EndpointMonitoring(stack, `${id}Monitoring`, { endpoint, dashboard });
    }
    Template.fromStack(stack).resourceCountIs('AWS::CloudWatch::Dashboard', 1);
    const headings = widgetsOf(stack).flatMap(
      ({ properties: { markdown } }) => markdown?.split('\n')[0] ?? [],
    );
    expect(headings).toEqual(['## orders', '## billing']);
  });

  it.each([
    ['shop_Orders-1', 'no problem'],
    ['a'.repeat(255), 'no problem'],
    ['a'.repeat(256), 'is no name of a dashboard. Use 1 to 255 letters'],
    ['shop orders', "dashboardName: 'shop orders' is no name of a dashboard."],
    ['', "dashboardName: '' is no name of a dashboard."],
  ])('is called %s: %s', (dashboardName, listed) => {
    const report = listed === 'no problem' ? '' : listed;
    expectViolation(barelyMonitored({ dashboardName }).stack, report);
  });

  it('has no name beside a given one', () => {
    const { stack } = barelyMonitored({ dashboard: false, dashboardName: 'shop' });
    expectViolation(stack, 'dashboardName: it names the dashboard that the monitoring makes');
  });

  it.each([
    [62, 496, 'no problem'],
    [63, 504, "[Test/Monitoring62] dashboard: 'Test/Shop' would have 504 widgets, more than the 500"],
  ])('holds the widgets of %d endpoints, %d: %s', (count, widgets, listed) => {
    const report = listed === 'no problem' ? '' : listed;
    const stack = unbundledStack();
    const endpoint = inlineEndpoint(stack, 'Orders');
    const dashboard = new Dashboard(stack, 'Shop');
    for (let index = 0; index < count; index += 1) {
      new EndpointMonitoring(stack, `Monitoring${index}`, { endpoint, dashboard, alarms: false });
    }
    const found = violationsOf(stack);
    if (report === '') expect(found).toBe('');
    else expect(found).toContain(report);
    // The heading, 4 graphs of the queue and 3 of the function.
    expect(count * 8).toBe(widgets);
  });
});
