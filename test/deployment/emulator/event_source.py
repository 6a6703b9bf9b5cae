"""Asks for what Lambda and EventBridge do by themselves: reading a queue for a function, and sending an event to a queue.

Lambda reads with the role of the function; a rule sends with the permission of the queue's policy. ministack asks for neither.
"""

from decisions import role_may
from journal import write
from ministack.services import eventbridge, lambda_svc, sqs

_reading = ("sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes")


def _install_reading():
    run_batch = lambda_svc._run_sqs_batch

    def run_sqs_batch(esm, func_rec, event, batch, queue_url, queue_name):
        role_arn = func_rec["config"]["Role"]
        if all(role_may(role_arn, action, esm["EventSourceArn"]) for action in _reading):
            write("delivered", messages=len(batch))
            run_batch(esm, func_rec, event, batch, queue_url, queue_name)

    lambda_svc._run_sqs_batch = run_sqs_batch


def _install_rules():
    invoke_target = eventbridge._invoke_target

    def invoke(target, event, rule, view=None):
        arn = target.get("Arn", "")
        if ":sqs:" in arn and "EventPattern" in rule:
            if not sqs.queue_policy_allows(arn, "events.amazonaws.com", rule.get("Arn", ""), arn.split(":")[4]):
                return None
        return invoke_target(target, event, rule, view)

    eventbridge._invoke_target = invoke


def install():
    _install_reading()
    _install_rules()
