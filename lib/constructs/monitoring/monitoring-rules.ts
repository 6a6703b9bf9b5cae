/** Source: PutDashboard in the API reference of CloudWatch. */
const dashboardNames = /^[\w-]{1,255}$/;

/** What the rules look at of the monitoring of an endpoint, beside the props that alarms have in common. */
export interface MonitoringFacts {
  readonly endpointPath: string;
  /** Where both are, by setting, for what is of another account, region or Stage than the monitoring. */
  readonly elsewhere: { readonly endpoint?: string; readonly relay?: string; readonly dashboard?: string };
  readonly relay: { readonly path: string; readonly isOfTheEndpoint: boolean } | undefined;
  /** The adjusted alarms that have nothing to watch, each with what it needs. */
  readonly unwatched: readonly (readonly [name: string, needs: string])[];
  /** Undefined also when it is known only at deployment. */
  readonly dashboardName: string | undefined;
  readonly hasOwnDashboard: boolean;
}

/** @returns cause and remedy when the rule is violated */
type Rule = (facts: MonitoringFacts) => string | undefined;

export const monitoringRules: readonly Rule[] = [
  function endpointIsWhereTheAlarmsAre({ elsewhere: { endpoint } }) {
    if (endpoint === undefined) return undefined;
    return (
      `endpoint: ${endpoint}, and alarms watch metrics of their own account and region. ` +
      'Put the monitoring in a stack beside the endpoint.'
    );
  },

  function relayIsWhereTheAlarmsAre({ elsewhere: { relay } }) {
    if (relay === undefined) return undefined;
    return `relay: ${relay}. Give a relay of the account and region of the endpoint.`;
  },

  function dashboardIsWhereTheMetricsAre({ elsewhere: { dashboard } }) {
    if (dashboard === undefined) return undefined;
    return `dashboard: ${dashboard}. Give a dashboard of the account and region of the endpoint, or leave it out.`;
  },

  function relayIsThatOfTheEndpoint({ relay, endpointPath }) {
    if (relay === undefined || relay.isOfTheEndpoint) return undefined;
    return (
      `relay: '${relay.path}' relays no records of '${endpointPath}'. ` +
      'Give that of the endpoint, or add the endpoint to its endpoints.'
    );
  },

  function adjustedAlarmsHaveSomethingToWatch({ unwatched, endpointPath }) {
    if (unwatched.length === 0) return undefined;
    const settings = unwatched.map(([name]) => `alarms.${name}`).join(', ');
    const needs = unwatched.map(([name, each]) => `${name} needs ${each}`).join(', ');
    return `${settings}: '${endpointPath}' has nothing that it could watch. Leave it out: ${needs}.`;
  },

  function dashboardNameIsOfItsOwnDashboard({ dashboardName, hasOwnDashboard }) {
    if (dashboardName === undefined || hasOwnDashboard) return undefined;
    return (
      'dashboardName: it names the dashboard that the monitoring makes, and this one makes none. ' +
      'Leave it out, or leave dashboard out.'
    );
  },

  function dashboardNameIsOne({ dashboardName }) {
    if (dashboardName === undefined || isDashboardName(dashboardName)) return undefined;
    return `dashboardName: '${dashboardName}' is no name of a dashboard. Use 1 to 255 letters, digits, '-' and '_'.`;
  },
];

export function isDashboardName(name: string): boolean {
  return dashboardNames.test(name);
}

/** All violations at once, each with its cause and its remedy. */
export function monitoringViolations(facts: MonitoringFacts): string[] {
  return monitoringRules.map((rule) => rule(facts)).filter((violation) => violation !== undefined);
}
