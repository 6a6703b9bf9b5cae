import { Schedule } from 'aws-cdk-lib/aws-applicationautoscaling';
import { type MessagingTableProps, TableCapacity } from 'sagabox/constructs';
import type { ScheduledPeak } from '../../lib/constructs/capacity/scheduled-peak.ts';

/**
 * Contradictions that cannot be written. What is asserted here, `tsc -p .` checks: an unused
 * `@ts-expect-error` is an error.
 */
const units = { minCapacity: 1, maxCapacity: 2 };
const times = { start: Schedule.cron({ hour: '8' }), end: Schedule.cron({ hour: '9' }) };
const workload = { message: {}, messagesPerSecond: 1 };

// @ts-expect-error: what is on demand does not scale
TableCapacity.onDemand({ scheduledPeaks: [] });

// @ts-expect-error: nor has it headroom
TableCapacity.onDemand({ workload, headroom: 2 });

// @ts-expect-error: writes are provisioned with reads
TableCapacity.provisioned({ read: units });

// @ts-expect-error: what is provisioned by hand has the limits that it names
TableCapacity.provisioned({ read: units, write: units, headroom: 2 });

// @ts-expect-error: a peak of what is provisioned by hand raises something
const peak: ScheduledPeak = times;
TableCapacity.provisioned({ read: units, write: units, scheduledPeaks: [peak, { ...times, read: units }] });

// The peak of a workload is known.
TableCapacity.forWorkload(workload, { scheduledPeaks: [times] });

// @ts-expect-error: a capacity is made by one of its functions, which check it
const props: MessagingTableProps = { capacity: { settings: TableCapacity.onDemand().settings } };

// @ts-expect-error: and by these only
new Capacity(props.capacity?.settings);
