"""Writes to the journal which process works for which function, and when it rests."""

from journal import write
from ministack.core.lambda_runtime import Worker


def install():
    spawn = Worker._spawn
    invoke = Worker.invoke

    def working(worker):
        # The worker forgets a process that has ended.
        worker.proof_process_id = worker._proc.pid
        write("working", processId=worker._proc.pid, functionName=worker.func_name)

    def spawn_and_write(worker):
        spawn(worker)
        # It was made for an invocation, which begins now.
        working(worker)

    def invoke_and_write(worker, *args, **options):
        if worker._proc is not None and worker._proc.poll() is None:
            working(worker)
        error = "It was not started"
        try:
            result = invoke(worker, *args, **options)
            error = result.get("error")
            return result
        finally:
            process_id = getattr(worker, "proof_process_id", None)
            write("resting", processId=process_id, functionName=worker.func_name, error=error)

    Worker._spawn = spawn_and_write
    Worker.invoke = invoke_and_write
