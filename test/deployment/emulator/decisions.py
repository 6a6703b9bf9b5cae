"""Writes each denial to the journal, whoever was denied, and asks for roles that act without a request of their own."""

import contextvars

from journal import write
from ministack.core import iam_evaluator
from ministack.services import scheduler, sqs

# Of the request that is at work: iam:PassRole is a second question about its caller.
_access_key = contextvars.ContextVar("proof_access_key", default="")


def write_denial(principal, action, resource):
    write("denied", principal=principal, action=action, resource=resource)


def role_may(role_arn, action, resource):
    """Whether the role's policies allow it; written to the journal when they do not."""
    account, role_name = role_arn.split(":")[4], role_arn.rsplit("/", 1)[-1]
    context = iam_evaluator.EvalContext(
        principal_arn=role_arn,
        principal_type="AssumedRole",
        principal_account=account,
        action=action,
        resource_arn=resource,
        region=resource.split(":")[3],
        secure_transport=True,
    )
    policies = iam_evaluator._gather_role_policies(role_name, account)
    if iam_evaluator.evaluate(context, policies).decision == "Allow":
        return True
    write_denial(role_arn, action, resource)
    return False


def _install_enforce():
    enforce = iam_evaluator.enforce

    def enforce_and_write(access_key_id, iam_action, service, region, resource_arn="*", service_context=None):
        _access_key.set(access_key_id)
        result = enforce(access_key_id, iam_action, service, region, resource_arn, service_context)
        if isinstance(result, iam_evaluator.AuthError):
            write_denial(f"access key {access_key_id} ({result.code})", iam_action, resource_arn)
        elif result is not None:
            write_denial(result.principal_arn, iam_action, resource_arn)
        return result

    iam_evaluator.enforce = enforce_and_write


def _install_pass_role():
    """Whoever makes a schedule has to be allowed to pass it its role. ministack does not ask."""
    create = scheduler._create_schedule

    def create_schedule(name, body):
        role_arn = (body.get("Target") or {}).get("RoleArn", "")
        passed_to = {"iam:PassedToService": "scheduler.amazonaws.com"}
        denied = iam_evaluator.enforce(_access_key.get(), "iam:PassRole", "iam", "us-east-1", role_arn, passed_to)
        if denied is not None:
            return scheduler._error(403, "AccessDeniedException", f"The caller may not pass the role {role_arn}")
        return create(name, body)

    scheduler._create_schedule = create_schedule


def _install_queue_policies():
    """What a topic may send to a queue is for the queue's policy to say."""
    allows = sqs.queue_policy_allows

    def queue_policy_allows(queue_arn, service, source_arn, source_account):
        allowed = allows(queue_arn, service, source_arn, source_account)
        if not allowed:
            write_denial(f"{service} for {source_arn}", "sqs:SendMessage", queue_arn)
        return allowed

    sqs.queue_policy_allows = queue_policy_allows


def install():
    _install_enforce()
    _install_pass_role()
    _install_queue_policies()
