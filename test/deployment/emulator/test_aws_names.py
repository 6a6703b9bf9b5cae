"""What the corrections of the names make of requests; the proof runs them before it starts."""

import json
import unittest

import aws_names
from ministack.core import iam_actions

_table = "arn:aws:dynamodb:us-east-1:1:table/"


def _partiql(call, **body):
    return aws_names.partiql_checks(f"dynamodb:{call}", json.dumps(body).encode(), "us-east-1", "1")


def _schedule(method, body=b"", query=None):
    scope = ("us-east-1", "1")
    return iam_actions.extract_resource_arn("scheduler", method, "/schedules/x", {}, body, query or {}, *scope)


class AwsNames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        aws_names.install()

    def test_a_batch_has_the_action_of_the_single_call(self):
        for service, batch, single in (
            ("sqs", "SendMessageBatch", "sqs:SendMessage"),
            ("sqs", "DeleteMessageBatch", "sqs:DeleteMessage"),
            ("sqs", "ChangeMessageVisibilityBatch", "sqs:ChangeMessageVisibility"),
            ("sns", "PublishBatch", "sns:Publish"),
            ("sqs", "ReceiveMessage", "sqs:ReceiveMessage"),
        ):
            action = iam_actions.extract_iam_action(service, "POST", "/", {"x-amz-target": f"A.{batch}"}, b"", {})
            self.assertEqual(action, single)

    def test_one_mapping_is_not_the_list_of_them(self):
        for path, action in (
            ("/2015-03-31/event-source-mappings/1b2c", "lambda:GetEventSourceMapping"),
            ("/2015-03-31/event-source-mappings", "lambda:ListEventSourceMappings"),
        ):
            self.assertEqual(iam_actions.extract_iam_action("lambda", "GET", path, {}, b"", {}), action)

    def test_a_schedule_is_of_its_group(self):
        arn = "arn:aws:scheduler:us-east-1:1:schedule"
        self.assertEqual(_schedule("POST", b'{"GroupName": "g"}'), f"{arn}/g/x")
        self.assertEqual(_schedule("DELETE", query={"groupName": ["g"]}), f"{arn}/g/x")
        self.assertEqual(_schedule("DELETE"), f"{arn}/default/x")

    def test_parameters_are_read_as_the_first_of_them(self):
        target = {"x-amz-target": "AmazonSSM.GetParameters"}
        arguments = ("ssm", "POST", "/", target, b'{"Names": ["/sagabox/a/000", "/sagabox/a/001"]}', {}, "us-east-1", "1")
        arn = iam_actions.extract_resource_arn(*arguments)
        self.assertEqual(arn, "arn:aws:ssm:us-east-1:1:parameter/sagabox/a/000")

    def test_a_partiql_statement_has_the_action_of_its_verb_on_its_table(self):
        self.assertEqual(
            _partiql("ExecuteStatement", Statement='SELECT a FROM "T.1"."I" WHERE b = ?'),
            [("dynamodb:PartiQLSelect", f"{_table}T.1/index/I")],
        )
        statements = ['UPDATE "T" SET a=1', "insert into T2 value {}", "DELETE FROM T3 WHERE a=1"]
        self.assertEqual(
            _partiql("BatchExecuteStatement", Statements=[{"Statement": text} for text in statements]),
            [
                ("dynamodb:PartiQLUpdate", f"{_table}T"),
                ("dynamodb:PartiQLInsert", f"{_table}T2"),
                ("dynamodb:PartiQLDelete", f"{_table}T3"),
            ],
        )
        exists = {"Statement": 'EXISTS(SELECT * FROM "T" WHERE a=1)'}
        self.assertEqual(
            _partiql("ExecuteTransaction", TransactStatements=[exists]), [("dynamodb:PartiQLSelect", f"{_table}T")]
        )

    def test_other_calls_have_no_statements(self):
        self.assertEqual(_partiql("PutItem", TableName="T"), [])

    def test_what_is_no_statement_is_for_all_tables(self):
        self.assertEqual(_partiql("ExecuteStatement", Statement="?"), [("dynamodb:ExecuteStatement", "*")])


if __name__ == "__main__":
    unittest.main()
