import { Token } from 'aws-cdk-lib';
import { Dashboard, type IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { defined } from '../../kernel/defined.ts';
import type { Violations } from '../violations.ts';
import type { EndpointMonitoringProps } from './endpoint-monitoring-props.ts';
import { isDashboardName } from './monitoring-rules.ts';

/** Source: "Dashboard Body Structure and Syntax" in the API reference of CloudWatch. */
const MAX_WIDGETS = 500;

/** Widgets of ours, by dashboard: several endpoints may share one. */
const widgetCounts = new WeakMap<Dashboard, number>();

export function addToDashboard(
  scope: Construct,
  { dashboard: given, dashboardName }: Pick<EndpointMonitoringProps, 'dashboard' | 'dashboardName'>,
  rows: readonly IWidget[][],
  violations: Violations,
): Dashboard | undefined {
  if (given === false) return undefined;
  const dashboard = given ?? ownDashboard(scope, dashboardName);
  for (const row of rows) dashboard.addWidgets(...row);
  const count = (widgetCounts.get(dashboard) ?? 0) + rows.flat().length;
  widgetCounts.set(dashboard, count);
  if (count > MAX_WIDGETS) {
    const problem = `'${dashboard.node.path}' would have ${count} widgets, more than the ${MAX_WIDGETS} of a dashboard`;
    violations.add('dashboard', problem, 'Spread the endpoints over several dashboards');
  }
  return dashboard;
}

/** With a name that CloudFormation makes up in place of one that CloudWatch refuses, which is reported. */
function ownDashboard(scope: Construct, name: string | undefined): Dashboard {
  const isValid = name === undefined || Token.isUnresolved(name) || isDashboardName(name);
  return new Dashboard(scope, 'Dashboard', defined({ dashboardName: isValid ? name : undefined }));
}
