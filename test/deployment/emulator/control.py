"""Makes calls of the AWS API for the proof, which holds no SDK for these services: one JSON object a line in, one out.

In: {"service", "operation", "parameters"}. Out: {"result"} or {"error"}. Pages are joined where an operation has pages.
"""

import datetime
import json
import os
import sys

import boto3
from botocore.config import Config

_clients = {}


def _client(service):
    if service not in _clients:
        _clients[service] = boto3.client(
            service,
            region_name=os.environ["AWS_REGION"],
            endpoint_url=os.environ["PROOF_ENDPOINT"],
            verify=os.environ["AWS_CA_BUNDLE"],
            config=Config(retries={"max_attempts": 2}, read_timeout=120),
        )
    return _clients[service]


def _call(service, operation, parameters):
    client = _client(service)
    if client.can_paginate(operation):
        return client.get_paginator(operation).paginate(**parameters).build_full_result()
    result = getattr(client, operation)(**parameters)
    if "Payload" in result:
        result["Payload"] = result["Payload"].read().decode()
    return result


def _plain(value):
    return value.isoformat() if isinstance(value, datetime.datetime) else str(value)


for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = {"result": _call(request["service"], request["operation"], request["parameters"])}
    except Exception as error:  # each is an answer of its own
        answer = {"error": str(error)}
    print(json.dumps(answer, default=_plain), flush=True)
