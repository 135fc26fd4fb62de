"""Runs jobs of utf8_spark.py one after the other in one Spark session: spark_cases.py CASES RESULTS"""

import json
import sys

from pyspark.sql import SparkSession

import utf8_spark


def count_failures(spark, group):
    """Tasks of a job group that failed, attempt by attempt."""
    tracker = spark.sparkContext.statusTracker()
    jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group)]
    stages = [tracker.getStageInfo(stage) for job in jobs if job for stage in job.stageIds]
    return sum(stage.numFailedTasks for stage in stages if stage)


def run(spark, case):
    spark.sparkContext.setJobGroup(case["name"], case["name"])
    spark.conf.set("spark.sql.files.maxPartitionBytes", str(case.get("split", 128 << 20)))
    result = {"name": case["name"]}
    try:
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
    builder = SparkSession.builder.master(plan["master"])
    settings = {"spark.ui.enabled": "false", "spark.log.level": "OFF", **plan["settings"]}
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    with open(results, "w", encoding="utf-8") as file:
        for case in plan["cases"]:
            file.write(json.dumps(run(spark, case)) + "\n")
    spark.stop()


main(*sys.argv[1:])
