"""Writes to the journal which process works for which function, and when it rests."""

from journal import write
from ministack.core.lambda_runtime import Worker


def install():
    spawn = Worker._spawn
    invoke = Worker.invoke

    def working(worker):
        write("working", processId=worker._proc.pid, functionName=worker.func_name)

    def spawn_and_write(worker):
        spawn(worker)
        # It was made for an invocation, which begins now.
        working(worker)

    def invoke_and_write(worker, *args, **options):
        alive = worker._proc is not None and worker._proc.poll() is None
        if alive:
            working(worker)
        process = worker._proc
        result = {}
        try:
            result = invoke(worker, *args, **options)
            return result
        finally:
            ended = worker._proc or process
            write(
                "resting",
                processId=ended.pid if ended else None,
                functionName=worker.func_name,
                error=result.get("error"),
            )

    Worker._spawn = spawn_and_write
    Worker.invoke = invoke_and_write
