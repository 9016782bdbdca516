#!/usr/bin/env python3
"""Times bin/submit with files to upload and with packages, alternating with the same command without them.

    mvn -q -Dquick -pl itests/bench,distribution -am package && itests/bench/submit.py --rounds 10

Uploads: `--deploy-mode cluster --no-wait` to a master without workers, so that the driver only waits: with a jar that the master has not, with the same one
again, with a small jar. Packages: CountApp on local[2] with 20 jars that are in the local repository, and without. Prints medians and differences.
"""
import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile

BENCH = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, BENCH)
import hearth  # noqa: E402

PACKAGES = 20
AGE_SECONDS = 60
GROUP = "bench.packages"
POM = """<project><modelVersion>4.0.0</modelVersion><groupId>%s</groupId><artifactId>%s</artifactId><version>1</version>
<dependencies>%s</dependencies></project>
"""
DEPENDENCY = "<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>1</version></dependency>"


class Context:
    def __init__(self, tmp):
        self.tmp = tmp

    def log(self, name):
        return os.path.join(self.tmp, name)


def jar(path, size, seed):
    """A jar of one stored entry with random bytes, which no one has seen before, and a minute old: bin/submit remembers no hash of a file in change."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as out:
        out.writestr("bytes", random.Random(seed).randbytes(size))
    os.utime(path, (time.time() - AGE_SECONDS,) * 2)
    return path


def repository(root):
    """One package that needs nineteen others, in the layout of a local repository."""
    names = ["p%02d" % i for i in range(PACKAGES)]
    for name in names:
        place = os.path.join(root, *GROUP.split("."), name, "1")
        os.makedirs(place)
        needs = "".join(DEPENDENCY % (GROUP, other) for other in names[1:]) if name == names[0] else ""
        with open("%s/%s-1.pom" % (place, name), "w") as pom:
            pom.write(POM % (GROUP, name, needs))
        jar("%s/%s-1.jar" % (place, name), 200_000, name)


def timed(command, environment):
    started = time.monotonic()
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seconds = time.monotonic() - started
    if done.returncode != 0:
        raise RuntimeError("%s: status %d\n%s" % (command, done.returncode, done.stderr))
    return seconds


def report(title, seconds):
    print("%-36s median %.3f s  least %.3f  most %.3f  of %d" % (title, statistics.median(seconds), min(seconds), max(seconds), len(seconds)))
    return statistics.median(seconds)


def uploads(engine, ctx, rounds, megabytes):
    cluster = hearth.Cluster(ctx, engine.hearth_script, engine.environment)
    master = cluster.start("master", "--port", "0", "--conf", "hearth.master.dir=" + ctx.tmp + "/master")
    base = [engine.submit_script, "--master", master, "--deploy-mode", "cluster", "--no-wait", "--class", "bench.None"]
    small = jar(ctx.tmp + "/small.jar", 1000, "small")
    times = {"small": [], "first": [], "second": []}
    try:
        timed(base + [small], engine.environment)
        for i in range(rounds):
            large = jar(ctx.tmp + "/large-%d.jar" % i, megabytes << 20, "%d of %d" % (i, os.getpid()))
            times["small"].append(timed(base + [small], engine.environment))
            times["first"].append(timed(base + [large], engine.environment))
            times["second"].append(timed(base + [large], engine.environment))
            os.remove(large)
    finally:
        cluster.stop()
    small, first, second = (report(title, times[name]) for name, title in (
        ("small", "upload: small jar, there already"), ("first", "upload: %d MB, first" % megabytes), ("second", "upload: %d MB, second" % megabytes)))
    print("first: %.0f MB/s beyond a small jar; second: %+.0f ms" % (megabytes / (first - small), (second - small) * 1000))


def packages(engine, ctx, rounds):
    root = ctx.tmp + "/repository"
    repository(root)
    without = engine.count_app(ctx, {"way": "submit"})[0]
    conf = ["--packages", GROUP + ":p00:1", "--conf", "hearth.jars.ivy=" + root, "--conf", "hearth.jars.defaultRepository=file://" + root]
    given = without[:1] + conf + without[1:]
    times = {"without": [], "with": []}
    cold = timed(given, engine.environment)
    for _ in range(rounds):
        times["without"].append(timed(without, engine.environment))
        times["with"].append(timed(given, engine.environment))
    plain = report("packages: without", times["without"])
    more = report("packages: %d of the local repository" % PACKAGES, times["with"])
    print("packages: %+.0f ms; the first request took %.3f s" % ((more - plain) * 1000, cold))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--megabytes", type=int, default=100)
    arguments = parser.parse_args()
    tmp = tempfile.mkdtemp(prefix="hearth-submit-")
    ctx, engine = Context(tmp), hearth.Engine()
    try:
        print(engine.prepare(ctx), "load %.1f" % os.getloadavg()[0])
        uploads(engine, ctx, arguments.rounds, arguments.megabytes)
        packages(engine, ctx, arguments.rounds)
    finally:
        shutil.rmtree(tmp, ignore_errors=True)


main()
