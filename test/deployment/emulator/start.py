"""Starts ministack with its decisions written to a journal, and with what AWS checks and ministack leaves out.

Nothing of the installed package is changed: its functions are replaced in this process only.
"""

import os

import alarms
import aws_names
import decisions
import event_source
import function_processes
import leading_keys
import schedules
import topic_policies
import transactions
from journal import write
from ministack import app


def main():
    # ministack would serve port 443 as well wherever it may.
    app._port_is_bindable = lambda *_: False
    patches = (
        alarms,
        aws_names,
        decisions,
        event_source,
        function_processes,
        leading_keys,
        schedules,
        topic_policies,
        transactions,
    )
    for module in patches:
        module.install()
    write("started", processId=os.getpid())
    app.main()


main()
