"""What a transaction stores; the proof runs this before it starts."""

import unittest

from transactions import stored


class Transactions(unittest.TestCase):
    def test_each_record_counts_once_and_each_saga_is_named(self):
        keys = [
            ("Put", "SAGA#Order#1"),
            ("ConditionCheck", "SAGA#Order#2"),
            ("Delete", "SAGA#Stock#a#b"),
            ("Put", "OUTBOX#orders#1"),
            ("Put", "OUTBOX#orders#1"),
            ("Put", "OUTBOX#orders#2"),
            ("Update", "order-1 placed"),
        ]
        self.assertEqual(stored(keys), (2, ["Order", "Order", "Stock"]))
