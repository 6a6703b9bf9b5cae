import { describe, expect, it } from '@jest/globals';
import { Aws } from 'aws-cdk-lib';
import { type AlarmPropFacts, alarmPropRules } from '../../../lib/constructs/monitoring/alarm-prop-rules.ts';
import {
  type MonitoringFacts,
  monitoringRules,
} from '../../../lib/constructs/monitoring/monitoring-rules.ts';

const topic = { setting: 'topic', path: 'Test/Pager', region: 'eu-west-1', nameless: undefined };
const elsewhere = "'Test/Orders' is in region us-east-1, and 'Test/Monitoring' in region eu-west-1";

/** All of them at their boundaries. */
const alarmProps: AlarmPropFacts = {
  region: 'eu-west-1',
  topics: [topic],
  otherActions: 4,
  runbookUrl: 'https://wiki.example.com/run?page=1',
};
const facts: MonitoringFacts = {
  endpointPath: 'Test/Orders',
  elsewhere: {},
  relay: { path: 'Test/Relay', isOfTheEndpoint: true },
  unwatched: [],
  dashboardName: 'a'.repeat(255),
  hasOwnDashboard: true,
};

interface Cases<Facts> {
  readonly sound?: readonly Partial<Facts>[];
  readonly wrong: readonly Partial<Facts>[];
}

/** By rule: what is sound at another boundary, and what is wrong by the least that can be. */
const alarmPropCases: Record<string, Cases<AlarmPropFacts>> = {
  topicsAreInTheRegion: {
    sound: [{ topics: [{ ...topic, region: Aws.REGION }] }],
    wrong: [{ topics: [topic, { ...topic, region: 'eu-west-2', nameless: elsewhere }] }],
  },
  topicsCanBeReferredTo: { wrong: [{ topics: [topic, { ...topic, nameless: elsewhere }] }] },
  actionsFitAnAlarm: {
    sound: [{ topics: [], otherActions: 5 }, { topics: [topic, topic] }],
    wrong: [{ otherActions: 5 }, { topics: [], otherActions: 6 }],
  },
  runbookUrlIsAPage: {
    sound: [{ runbookUrl: undefined }, { runbookUrl: 'http://wiki' }],
    wrong: ['', 'wiki.example.com/run', 'https://', 'https://wiki/run#top', 'https://wiki/my run'].map(
      (runbookUrl) => ({ runbookUrl }),
    ),
  },
};
const monitoringCases: Record<string, Cases<MonitoringFacts>> = {
  endpointIsWhereTheAlarmsAre: { wrong: [{ elsewhere: { endpoint: elsewhere } }] },
  relayIsWhereTheAlarmsAre: { wrong: [{ elsewhere: { relay: elsewhere } }] },
  dashboardIsWhereTheMetricsAre: { wrong: [{ elsewhere: { dashboard: elsewhere } }] },
  relayIsThatOfTheEndpoint: {
    sound: [{ relay: undefined }],
    wrong: [{ relay: { path: 'Test/Relay', isOfTheEndpoint: false } }],
  },
  adjustedAlarmsHaveSomethingToWatch: { wrong: [{ unwatched: [['errors', 'an error queue']] }] },
  dashboardNameIsOfItsOwnDashboard: {
    sound: [{ hasOwnDashboard: false, dashboardName: undefined }],
    wrong: [{ hasOwnDashboard: false }],
  },
  dashboardNameIsOne: {
    sound: [{ dashboardName: 'a' }],
    wrong: [{ dashboardName: '' }, { dashboardName: 'a'.repeat(256) }, { dashboardName: 'a b' }],
  },
};

function describeRules<Facts>(
  title: string,
  rules: readonly ((facts: Facts) => string | undefined)[],
  sound: Facts,
  cases: Record<string, Cases<Facts>>,
): void {
  const violated = (some: Partial<Facts>) =>
    rules.filter((rule) => rule({ ...sound, ...some }) !== undefined).map(({ name }) => name);

  describe(title, () => {
    it('are all in this table, and find nothing wrong with facts at their boundaries', () => {
      expect(Object.keys(cases).toSorted()).toEqual(rules.map(({ name }) => name).toSorted());
      expect(violated({})).toEqual([]);
    });

    it.each(Object.entries(cases))('%s flips with its facts, and no other does', (name, each) => {
      expect((each.sound ?? []).map(violated)).toEqual((each.sound ?? []).map(() => []));
      expect(each.wrong.map(violated)).toEqual(each.wrong.map(() => [name]));
    });
  });
}

describeRules('the rules of alarms', alarmPropRules, alarmProps, alarmPropCases);
describeRules('the rules of a monitoring', monitoringRules, facts, monitoringCases);
