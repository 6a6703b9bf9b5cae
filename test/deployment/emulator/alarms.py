"""Makes the alarms of templates that watch a metric math expression, which ministack refuses.

Such an alarm is kept under its first metric, as no alarm of the emulator is ever evaluated here.
"""

from ministack.services.cloudformation import provisioners


def with_one_metric(props):
    stats = [query["MetricStat"] for query in props.get("Metrics") or [] if "MetricStat" in query]
    if not stats:
        return props
    rest = {name: value for name, value in props.items() if name != "Metrics"}
    metric = stats[0]["Metric"]
    return {**rest, "MetricName": metric["MetricName"], "Namespace": metric["Namespace"], "Period": stats[0]["Period"]}


def install():
    record = provisioners._cw_metric_alarm_record
    provisioners._cw_metric_alarm_record = lambda name, props: record(name, with_one_metric(props))
