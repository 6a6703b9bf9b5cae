import { Aws } from 'aws-cdk-lib';
import { type AlarmPropFacts, alarmPropRules } from '../../../lib/constructs/monitoring/alarm-prop-rules.ts';
import {
  type MonitoringFacts,
  monitoringRules,
} from '../../../lib/constructs/monitoring/monitoring-rules.ts';
import { describeRules, type RuleCases } from '../describe-rules.ts';

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

/** By rule: what is sound at another boundary, and what is wrong by the least that can be. */
const alarmPropCases: Record<string, RuleCases<AlarmPropFacts>> = {
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
const monitoringCases: Record<string, RuleCases<MonitoringFacts>> = {
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

describeRules('the rules of alarms', alarmPropRules, alarmProps, alarmPropCases);
describeRules('the rules of a monitoring', monitoringRules, facts, monitoringCases);
