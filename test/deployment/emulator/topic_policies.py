"""Gives the policy of a topic that CloudFormation made the condition that it has on AWS.

Every topic has a policy that allows its owner's services to publish, by the condition AWS:SourceOwner. ministack leaves the condition
out of those that a template makes, so that everybody could publish. Source: "Example cases for Amazon SNS access control".
"""

import json

from ministack.services import sns

_DEFAULT_STATEMENT = "__default_statement_ID"


def with_condition(policy, owner):
    document = json.loads(policy)
    for statement in document["Statement"]:
        if statement.get("Sid") == _DEFAULT_STATEMENT:
            statement.setdefault("Condition", {"StringEquals": {"AWS:SourceOwner": owner}})
    return json.dumps(document)


def install():
    policy_of = sns.topic_policy_for_arn

    def topic_policy_for_arn(topic_arn):
        found = policy_of(topic_arn)
        if not found or not found[0]:
            return found
        policy, owner = found
        return with_condition(policy, owner), owner

    sns.topic_policy_for_arn = topic_policy_for_arn
