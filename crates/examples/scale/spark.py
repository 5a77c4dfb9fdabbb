#!/usr/bin/env python3
"""Spark reads the parts, counts, and learns its own decision tree.

    spark.py PARTS

It runs in this process, on all cores. The names of the folders contain the material and the side to move, so a
query about one of them reads no file of the others.
"""

import argparse

from pyspark.ml import Pipeline
from pyspark.ml.classification import DecisionTreeClassifier
from pyspark.ml.evaluation import MulticlassClassificationEvaluator
from pyspark.ml.feature import StringIndexer, VectorAssembler
from pyspark.sql import SparkSession
from pyspark.sql.functions import col

CLASS = "optimalDepth"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", help="the folder that lucena dataset --partitions has written")
    parser.add_argument("--max-depth", type=int, default=8)
    asked = parser.parse_args()
    spark = (
        SparkSession.builder.master("local[*]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "4")
        # KRank is the strong king's rank, kRank the weak king's.
        .config("spark.sql.caseSensitive", "true")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    rows = spark.read.parquet(asked.parts)
    sides = rows.groupBy("material", "turn").count().orderBy("material", "turn").collect()
    for side in sides:
        print(f"{side['material']}, {side['turn']} to move: {side['count']:,} positions")

    material = sides[0]["material"]
    black = rows.where((col("material") == material) & (col("turn") == "black"))
    numbers = [name for name, kind in black.dtypes if kind != "string"]
    stages = [
        StringIndexer(inputCol=CLASS, outputCol="label"),
        VectorAssembler(inputCols=numbers, outputCol="features"),
        DecisionTreeClassifier(maxDepth=asked.max_depth, impurity="entropy"),
    ]
    answered = Pipeline(stages=stages).fit(black).transform(black)
    right = MulticlassClassificationEvaluator(metricName="accuracy").evaluate(answered)
    print(f"Spark's tree of depth {asked.max_depth} is right on {right:.1%} of {material}, black to move")
    spark.stop()


if __name__ == "__main__":
    main()
