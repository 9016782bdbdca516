#!/usr/bin/env python3
"""Measures files of HDFS beside local ones, on a cluster of this machine that is up.

    HADOOP_CONF_DIR=DIR itests/yarn/peer/files.py --home distribution/target/hearth-with-hadoop-0.1.0-SNAPSHOT

Prints the milliseconds of a word count of the same file from the local disk and from HDFS, in turn, with the ratio of the medians; those of the commit
of an output of many parts by Hearth and by Hadoop's FileOutputCommitter of version 1; and the resident memory of an executor that has read the local
file, and of one that has read the file on HDFS.
"""
import argparse
import glob
import os
import random
import statistics
import subprocess
import tempfile
import time
import xml.etree.ElementTree

PEER = os.path.dirname(os.path.abspath(__file__))
SUBMIT_SECONDS_MAX = 900
BLOCK = 1 << 20


def run(command, **options):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError("%s: status %d\n%s%s" % (" ".join(command), done.returncode, done.stdout, done.stderr))
    return done.stdout


def default_files():
    tree = xml.etree.ElementTree.parse(os.path.join(os.environ["HADOOP_CONF_DIR"], "core-site.xml"))
    return {each.findtext("name"): each.findtext("value") for each in tree.getroot()}["fs.defaultFS"]


def program(home, work):
    classes = os.path.join(work, "classes")
    os.mkdir(classes)
    jars = glob.glob(home + "/lib/hearth-api-*.jar") + glob.glob(home + "/bundles/hearth-hadoop-*.jar")
    run(["javac", "-nowarn", "-cp", ":".join(jars), "-d", classes, PEER + "/FilesPeer.java"])
    manifest = os.path.join(work, "manifest")
    with open(manifest, "w") as text:
        text.write("Hearth-Requires: org.apache.hadoop.*, dev.hearth.hadoop\n")
    jar = os.path.join(work, "files.jar")
    run(["jar", "cfm", jar, manifest, "-C", classes, "."])
    return jar


def write_words(path, megabytes):
    generator = random.Random(1)
    words = ["word%d" % generator.randrange(20000) for _ in range(4000)]
    lines = "".join(" ".join(generator.choices(words, k=12)) + "\n" for _ in range(BLOCK // 100))
    piece = lines[:BLOCK].rsplit("\n", 1)[0] + "\n"
    with open(path, "w") as out:
        for _ in range(megabytes):
            out.write(piece)


def numbers(output, word):
    return [line.split()[1:] for line in output.splitlines() if line.startswith(word + " ")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", required=True)
    parser.add_argument("--mib", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--parts", type=int, default=10000)
    parser.add_argument("--only", choices=["words", "commit", "memory"])
    asked = parser.parse_args()
    home = os.path.abspath(asked.home)
    with tempfile.TemporaryDirectory() as work:
        jar = program(home, work)

        def submit(master, *arguments, settings=()):
            command = [home + "/bin/submit", "--master", master, "--driver-memory", "1g"]
            for setting in settings:
                command += ["--conf", setting]
            return run(command + ["--class", "FilesPeer", jar] + list(arguments), timeout=SUBMIT_SECONDS_MAX)

        directory = default_files() + "/files-peer-%d" % time.time()
        local = os.path.join(work, "words.txt")
        write_words(local, asked.mib)
        put = "org.apache.hadoop.fs.FsShell"
        client = glob.glob(home + "/bundles/hearth-hadoop-client-*.jar") + glob.glob(home + "/lib/slf4j-api-*.jar") + glob.glob(home + "/lib/*.jar")
        run(["java", "-cp", ":".join([os.environ["HADOOP_CONF_DIR"]] + client), put, "-mkdir", "-p", directory])
        run(["java", "-cp", ":".join([os.environ["HADOOP_CONF_DIR"]] + client), put, "-put", local, directory])
        files = ["file:" + local, directory + "/words.txt"]
        if asked.only in (None, "words"):
            rows = numbers(submit("local[2]", "words", str(asked.rounds), *files), "words")
            times = [[int(row[1]) for row in rows if row[0] == str(i)][1:] for i in range(2)]
            medians = [statistics.median(each) for each in times]
            print("word count of %d MiB: local %s, HDFS %s, ratio %.2f" % (asked.mib, times[0], times[1], medians[1] / medians[0]))
        if asked.only in (None, "commit"):
            commits = {}
            for by in ("own", "hadoop"):
                output = submit("local[2]", "commit", by, "%s/out-%s" % (directory, by), str(asked.parts), settings=["hearth.log.level=ERROR"])
                commits[by] = int(numbers(output, "commit")[0][0])
            print("commit of %d parts: own %d ms, FileOutputCommitter 1 %d ms, ratio %.1f"
                  % (asked.parts, commits["own"], commits["hadoop"], commits["hadoop"] / commits["own"]))
        if asked.only in (None, "memory"):
            memory = [int(numbers(submit("local-cluster[1,1,512]", "memory", file), "memory")[0][0]) // 1024 for file in files]
            print("memory of an executor that has read the local file %d MB, that on HDFS %d MB" % tuple(memory))


if __name__ == "__main__":
    main()
