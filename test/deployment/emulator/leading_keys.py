"""Evaluates dynamodb:LeadingKeys by the partition keys that a call names; ministack does not know them.

For a transaction they are those of all its items in the table: what AWS does there is not documented.
Source: "Using IAM policy conditions for fine-grained access control" in the Amazon DynamoDB Developer Guide.
"""

import json
import re

from ministack.core import iam_actions, iam_evaluator
from ministack.services import dynamodb

# From the request to the decision, which knows the table that it is about.
_KEYS_BY_TABLE = "proof:KeysByTable"
_EQUALS = re.compile(r"([#\w]+)\s*=\s*(:\w+)")


def _equal_in_condition(body):
    names, values = body.get("ExpressionAttributeNames") or {}, body.get("ExpressionAttributeValues") or {}
    pairs = _EQUALS.findall(body["KeyConditionExpression"])
    return {names.get(name, name): values.get(value) for name, value in pairs}


def _items_of(body):
    """Each item that a call names, as its table and attributes of it; those of an index have other keys."""
    for parts in body.get("TransactItems") or []:
        for part in parts.values():
            yield part["TableName"], part.get("Key") or part.get("Item")
    for table, asked in (body.get("RequestItems") or {}).items():
        if isinstance(asked, dict):
            yield from ((table, key) for key in asked["Keys"])
        else:
            for write in asked:
                yield table, (write.get("PutRequest") or {}).get("Item") or write["DeleteRequest"]["Key"]
    if "Key" in body or "Item" in body:
        yield body["TableName"], body.get("Key") or body["Item"]
    if "KeyConditionExpression" in body and "IndexName" not in body:
        yield body["TableName"], _equal_in_condition(body)


def keys_by_table(body, partition_key_of):
    found = {}
    for table, attributes in _items_of(body):
        key = (attributes or {}).get(partition_key_of(table))
        if key:
            found.setdefault(table, []).extend(key.values())
    return found


def _partition_key_of(table):
    return (dynamodb._tables.get(table) or {}).get("pk_name")


def install():
    context_of = iam_actions.dynamodb_service_context
    enforce = iam_evaluator.enforce

    def dynamodb_service_context(body):
        keys = keys_by_table(json.loads(body or b"{}"), _partition_key_of)
        return {**context_of(body), **({_KEYS_BY_TABLE: keys} if keys else {})}

    def enforce_with_keys(access_key_id, iam_action, service, region, resource_arn="*", service_context=None):
        context = dict(service_context or {})
        table = resource_arn.rpartition(":table/")[2]
        keys = context.pop(_KEYS_BY_TABLE, {}).get(table)
        if keys:
            context["dynamodb:LeadingKeys"] = keys
        return enforce(access_key_id, iam_action, service, region, resource_arn, context)

    iam_actions.dynamodb_service_context = dynamodb_service_context
    iam_evaluator.enforce = enforce_with_keys
