"""Which partition keys a call names; the proof runs this before it starts."""

import unittest

from leading_keys import keys_by_table

_KEY_OF = {"T": "PK", "U": "pk"}.get


def _item(name, value):
    return {name: {"S": value}, "other": {"S": "x"}}


class LeadingKeys(unittest.TestCase):
    def _expect(self, body, expected):
        self.assertEqual(keys_by_table(body, _KEY_OF), expected)

    def test_a_single_call_names_one(self):
        self._expect({"TableName": "T", "Key": _item("PK", "a")}, {"T": ["a"]})
        self._expect({"TableName": "U", "Item": _item("pk", "b")}, {"U": ["b"]})

    def test_a_batch_names_those_of_each_table(self):
        gets = {"T": {"Keys": [_item("PK", "a"), _item("PK", "b")]}, "U": {"Keys": [_item("pk", "c")]}}
        self._expect({"RequestItems": gets}, {"T": ["a", "b"], "U": ["c"]})
        writes = [{"PutRequest": {"Item": _item("PK", "a")}}, {"DeleteRequest": {"Key": _item("PK", "b")}}]
        self._expect({"RequestItems": {"T": writes}}, {"T": ["a", "b"]})

    def test_a_transaction_names_those_of_each_table(self):
        parts = [{"Put": {"TableName": "T", "Item": _item("PK", "a")}}, {"Update": {"TableName": "U", "Key": _item("pk", "b")}}]
        self._expect({"TransactItems": parts}, {"T": ["a"], "U": ["b"]})

    def test_a_query_names_that_of_the_table_and_none_of_an_index(self):
        query = {
            "TableName": "T",
            "KeyConditionExpression": "#k = :k AND #s BETWEEN :a AND :b",
            "ExpressionAttributeNames": {"#k": "PK", "#s": "SK"},
            "ExpressionAttributeValues": {":k": {"S": "a"}, ":a": {"S": "1"}, ":b": {"S": "2"}},
        }
        self._expect(query, {"T": ["a"]})
        self._expect({**query, "IndexName": "I"}, {})

    def test_a_scan_names_none(self):
        self._expect({"TableName": "T"}, {})


if __name__ == "__main__":
    unittest.main()
