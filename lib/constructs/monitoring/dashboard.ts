import { Token } from 'aws-cdk-lib';
import { Dashboard, type IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { defined } from '../../core/defined.ts';
import type { Violations } from '../violations.ts';
import type { EndpointMonitoringProps } from './endpoint-monitoring-props.ts';

/** Source: "Dashboard Body Structure and Syntax" in the API reference of CloudWatch. */
const MAX_WIDGETS = 500;
/** Source: PutDashboard in the API reference of CloudWatch. */
const names = /^[\w-]{1,255}$/;

/** Widgets of ours, by dashboard: several endpoints may share one. */
const widgetCounts = new WeakMap<Dashboard, number>();

export function addToDashboard(
  scope: Construct,
  { dashboard: given, dashboardName }: Pick<EndpointMonitoringProps, 'dashboard' | 'dashboardName'>,
  rows: readonly IWidget[][],
  violations: Violations,
): Dashboard | undefined {
  if (dashboardName !== undefined && given !== undefined) {
    const problem = 'it names the dashboard that the monitoring makes, and this one makes none';
    violations.add('dashboardName', problem, 'Leave it out, or leave dashboard out');
  }
  if (given === false) return undefined;
  const dashboard = given ?? ownDashboard(scope, dashboardName, violations);
  for (const row of rows) dashboard.addWidgets(...row);
  const count = (widgetCounts.get(dashboard) ?? 0) + rows.flat().length;
  widgetCounts.set(dashboard, count);
  if (count > MAX_WIDGETS) {
    const problem = `'${dashboard.node.path}' would have ${count} widgets, more than the ${MAX_WIDGETS} of a dashboard`;
    violations.add('dashboard', problem, 'Spread the endpoints over several dashboards');
  }
  return dashboard;
}

function ownDashboard(scope: Construct, name: string | undefined, violations: Violations): Dashboard {
  const isValid = name === undefined || Token.isUnresolved(name) || names.test(name);
  if (!isValid) {
    const problem = `'${name}' is no name of a dashboard`;
    violations.add('dashboardName', problem, "Use 1 to 255 letters, digits, '-' and '_'");
  }
  return new Dashboard(scope, 'Dashboard', defined({ dashboardName: isValid ? name : undefined }));
}
