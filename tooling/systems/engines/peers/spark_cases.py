"""Runs jobs of utf8_spark.py one after the other in one Spark session: spark_cases.py CASES RESULTS"""

import contextlib
import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import threading

import pyspark
from pyspark.sql import SparkSession

import utf8_spark


# prctl(2): a signal for this process when its parent is gone.
PR_SET_PDEATHSIG = 1


@contextlib.contextmanager
def start_cluster(hosts):
    """A master, and a worker with one core for each address: Spark speculates on another host only."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        master = f"spark://127.0.0.1:{free.getsockname()[1]}"
    program = os.path.join(os.path.dirname(pyspark.__file__), "bin", "spark-class")

    def end_with_parent():
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)

    def start(host, name, *words):
        command = [program, f"org.apache.spark.deploy.{name}", "--host", host, "--webui-port", "0", *words]
        environment = {**os.environ, "SPARK_LOCAL_IP": host}
        quiet = subprocess.DEVNULL
        return subprocess.Popen(
            command, env=environment, stdout=quiet, stderr=quiet, preexec_fn=end_with_parent
        )

    running = [start("127.0.0.1", "master.Master", "--port", master.rpartition(":")[2])]
    for host in hosts:
        running.append(start(host, "worker.Worker", "--cores", "1", "--memory", "1g", "--work-dir", f"work-{host}", master))
    try:
        yield master
    finally:
        for process in running:
            process.terminate()
            process.wait()


def count_failures(spark, group):
    """Tasks of a job group that failed, attempt by attempt."""
    tracker = spark.sparkContext.statusTracker()
    jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group)]
    stages = [tracker.getStageInfo(stage) for job in jobs if job for stage in job.stageIds]
    return sum(stage.numFailedTasks for stage in stages if stage)


def write_late(out):
    """Writes to the folder of attempts after the commit, as an attempt does that came second."""
    # Each waits until the other end is opened.
    with open(f"{out}.begun", "w"), open(f"{out}.late"):
        os.makedirs(os.path.join(out, "_temporary", "0", "_temporary", "attempt_1"))


@contextlib.contextmanager
def start_late_attempt(spark, case):
    """A task beside those of the job, which writes when the job waits for all tasks."""
    out = case["out"]
    os.makedirs(os.path.dirname(out), exist_ok=True)
    for name in ("begun", "late"):
        os.mkfifo(f"{out}.{name}")
    numbers = spark.sparkContext.parallelize([out], 1)
    job = threading.Thread(target=numbers.foreach, args=[write_late])
    job.start()
    with open(f"{out}.begun"):
        await_tasks = utf8_spark._await_tasks

    def release(session):
        with open(f"{out}.late", "w"):
            pass
        await_tasks(session)

    utf8_spark._await_tasks = release
    try:
        yield
    finally:
        utf8_spark._await_tasks = await_tasks
        job.join()


def run(spark, case):
    spark.sparkContext.setJobGroup(case["name"], case["name"])
    spark.conf.set("spark.sql.files.maxPartitionBytes", str(case.get("split", 128 << 20)))
    result = {"name": case["name"]}
    late = start_late_attempt(spark, case) if case.get("late") else contextlib.nullcontext()
    try:
        with late:
            result["totals"] = utf8_spark.convert_files(
                spark,
                case["inputs"],
                case["out"],
                case["options"],
                utf8=case.get("utf8"),
                strict=case.get("strict", False),
                findings=case.get("findings", False),
            )
    except (utf8_spark.Refusal, utf8_spark.Failure) as error:
        result.update(error=type(error).__name__, message=str(error))
    return {**result, "failures": count_failures(spark, case["name"])}


def main(cases, results):
    with open(cases, encoding="utf-8") as file:
        plan = json.load(file)
    with start_cluster(plan["hosts"]) if "hosts" in plan else contextlib.nullcontext(plan["master"]) as master:
        run_all(master, plan, results)


def run_all(master, plan, results):
    builder = SparkSession.builder.master(master)
    settings = {"spark.ui.enabled": "false", "spark.log.level": "OFF", **plan["settings"]}
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    with open(results, "w", encoding="utf-8") as file:
        for case in plan["cases"]:
            file.write(json.dumps(run(spark, case)) + "\n")
    spark.stop()


main(*sys.argv[1:])
