"""Runs due schedules with a universal target: the request that is their input, sent to SQS by their role.

ministack keeps, authorizes and deletes such schedules, and drops them when they are due. What the role may not send goes to the
schedule's dead letter queue, where the role may send to that. Source: "Using universal targets" in the EventBridge Scheduler User Guide.
"""

import hashlib
import json
import os

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError
from journal import write
from ministack.core.responses import get_account_id, get_region
from ministack.services import eventbridge, scheduler, sqs, sts

_SEND_MESSAGE = "arn:aws:scheduler:::aws-sdk:sqs:sendMessage"


def _session(role_arn):
    """Credentials of the role, as ministack gives a function those of its own."""
    account, role_name = role_arn.split(":")[4], role_arn.rsplit("/", 1)[-1]
    digest = hashlib.sha256(role_arn.encode()).hexdigest()
    access_key, secret, token = f"ASIA{digest[:16].upper()}", f"secret-{digest}", f"token-{digest}"
    sts.register_session(access_key, {
        "Arn": f"arn:aws:sts::{account}:assumed-role/{role_name}/scheduler",
        "UserId": f"{role_name}:scheduler",
        "SecretAccessKey": secret,
        "SessionToken": token,
    })
    return {"aws_access_key_id": access_key, "aws_secret_access_key": secret, "aws_session_token": token}


def _client(role_arn):
    return boto3.client(
        "sqs",
        region_name=get_region(),
        endpoint_url=f"https://127.0.0.1:{os.environ['GATEWAY_PORT']}",
        verify=os.environ["MINISTACK_SSL_CERT"],
        config=Config(retries={"max_attempts": 1}),
        **_session(role_arn),
    )


def _run(name, target):
    client = _client(target["RoleArn"])
    try:
        client.send_message(**json.loads(target["Input"]))
        write("scheduled message sent", name=name)
    except ClientError as error:
        write("scheduled message failed", name=name, problem=str(error))
        dead_letter_arn = (target.get("DeadLetterConfig") or {}).get("Arn")
        if dead_letter_arn:
            url = sqs._queue_by_arn(dead_letter_arn)["url"]
            client.send_message(QueueUrl=url, MessageBody=target["Input"])


def install():
    invoke_target = eventbridge._invoke_target
    # Due schedules are looked for each second, not each 10 seconds.
    scheduler._SCHEDULE_TICK_INTERVAL = 1

    def invoke(target, event, rule, view=None):
        if target.get("Arn") != _SEND_MESSAGE:
            return invoke_target(target, event, rule, view)
        return _run(rule.get("Name"), target)

    eventbridge._invoke_target = invoke
