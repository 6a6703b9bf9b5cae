"""Authorizes by the names that AWS uses, where ministack uses others.

Sources: "Actions, resources, and condition keys" of Amazon SQS, Amazon SNS, Amazon EventBridge Scheduler, Amazon DynamoDB, AWS Lambda
and AWS Systems Manager in the Service Authorization Reference; "IAM security policies with PartiQL for DynamoDB".
"""

import json
import re

from ministack.core import iam_actions

# A batch call is authorized by the action of the single call.
_SINGULAR = {
    "sqs:SendMessageBatch": "sqs:SendMessage",
    "sqs:DeleteMessageBatch": "sqs:DeleteMessage",
    "sqs:ChangeMessageVisibilityBatch": "sqs:ChangeMessageVisibility",
    "sns:PublishBatch": "sns:Publish",
}

_PARTIQL_CALLS = {
    "dynamodb:ExecuteStatement": lambda body: [body],
    "dynamodb:BatchExecuteStatement": lambda body: body.get("Statements") or [],
    "dynamodb:ExecuteTransaction": lambda body: body.get("TransactStatements") or [],
}

# One mapping that is asked for by its id, and not the list of them.
_MAPPING_PATH = re.compile(r"/event-source-mappings/[^/]+/?$")

_NAME = r'(?:"([^"]+)"|(\w+))'
_PARTIQL_STATEMENT = re.compile(
    rf"^\s*(?:EXISTS\s*\(\s*)?(?:(SELECT)\b.*?\bFROM|(INSERT)\s+INTO|(UPDATE)|(DELETE)\s+FROM)\s+{_NAME}(?:\.{_NAME})?",
    re.IGNORECASE | re.DOTALL,
)


def partiql_checks(action, body, region, account):
    """The action and the resource of each statement of a PartiQL call."""
    statements_of = _PARTIQL_CALLS.get(action)
    if statements_of is None:
        return []
    checks = []
    for statement in statements_of(json.loads(body or b"{}")):
        match = _PARTIQL_STATEMENT.match(statement.get("Statement") or "")
        if match is None:
            checks.append((action, "*"))
            continue
        verb = next(word for word in match.groups()[:4] if word)
        table, index = match.group(5) or match.group(6), match.group(7) or match.group(8)
        resource = f"arn:aws:dynamodb:{region}:{account}:table/{table}" + (f"/index/{index}" if index else "")
        checks.append((f"dynamodb:PartiQL{verb.capitalize()}", resource))
    return checks


def _group_of(method, query, body):
    """The group is in the body of a request that makes a schedule, and in the query of the others."""
    if method in ("POST", "PUT"):
        return json.loads(body or b"{}").get("GroupName") or "default"
    group = query.get("groupName") or "default"
    return group[0] if isinstance(group, list) else group


def _arn_of_first(body, region, account):
    """Several parameters are read as the first of them: those of a setting have one path."""
    first = json.loads(body or b"{}").get("Names", [""])[0]
    return f"arn:aws:ssm:{region}:{account}:parameter/{first.lstrip('/')}"


def install():
    action_of = iam_actions.extract_iam_action
    resource_of = iam_actions.extract_resource_arn
    transaction_checks = iam_actions.dynamodb_transaction_checks

    def extract_iam_action(service, method, path, *request):
        if service == "lambda" and method == "GET" and _MAPPING_PATH.search(path):
            return "lambda:GetEventSourceMapping"
        action = action_of(service, method, path, *request)
        return _SINGULAR.get(action, action)

    def extract_resource_arn(service, method, path, headers, body, query, *scope):
        resource = resource_of(service, method, path, headers, body, query, *scope)
        if service == "ssm" and headers.get("x-amz-target", "").endswith(".GetParameters"):
            return _arn_of_first(body, *scope)
        if service != "scheduler" or ":schedule/default/" not in resource:
            return resource
        return resource.replace(":schedule/default/", f":schedule/{_group_of(method, query, body)}/")

    def dynamodb_transaction_checks(action, body, region, account):
        return transaction_checks(action, body, region, account) or partiql_checks(action, body, region, account)

    iam_actions.extract_iam_action = extract_iam_action
    iam_actions.extract_resource_arn = extract_resource_arn
    iam_actions.dynamodb_transaction_checks = dynamodb_transaction_checks
