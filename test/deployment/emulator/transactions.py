"""Writes to the journal which transactions stored several outbox records, and of which sagas."""

import json

from ministack.services import dynamodb


def _partition_keys(transact_items):
    for part in transact_items:
        for kind, asked in part.items():
            table = dynamodb._tables.get(asked["TableName"]) or {}
            key = (asked.get("Key") or asked["Item"])[table["pk_name"]]
            yield kind, next(iter(key.values()))


def stored(keys):
    """How many records are among the keys of a transaction, and the name of each saga that it writes or checks."""
    records = {key for kind, key in keys if kind == "Put" and key.startswith("OUTBOX#")}
    sagas = [key.split("#")[1] for _, key in keys if key.startswith("SAGA#")]
    return len(records), sagas


def install():
    # It opens the journal, which the tests of this module have none of.
    from journal import write

    transact = dynamodb._transact_write_items

    def transact_and_write(data):
        answer = transact(data)
        if answer[0] == 200:
            records, sagas = stored(list(_partition_keys(data["TransactItems"])))
            if records > 1:
                write("stored together", records=records, sagas=sagas)
        return answer

    dynamodb._transact_write_items = transact_and_write
