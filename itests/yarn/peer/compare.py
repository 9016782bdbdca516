#!/usr/bin/env python3
"""Runs the same application on YARN with Hearth and with Spark, in turn, on a cluster of this machine that is up.

    HADOOP_CONF_DIR=DIR itests/yarn/peer/compare.py --home distribution/target/hearth-with-hadoop-0.1.0-SNAPSHOT --rounds 10

The application has two tasks on two executors of one core each, and writes down when its first task ran. Start and first task are times of one
clock, as all containers run on this machine. Prints the times from the start of submit to the first task and to its end, the memory of submit, and the
ratios of the medians. Before the first round, Hearth runs until its archives of classes are made (HEARTH_CDS=off does without). Modes: cluster, client, unmanaged (client mode with the application master in the driver). Spark runs with its default settings, and
as spark-archive with its jars in HDFS (spark.yarn.jars), so that it uploads none of them. The jars of Spark come from Maven (pom.xml).
"""
import argparse
import glob
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time
import urllib.request
import xml.etree.ElementTree

PEER = os.path.dirname(os.path.abspath(__file__))
SUBMIT_SECONDS_MAX = 300
ARCHIVES_SECONDS_MAX = 600
COMMON = {
    "driver.memory": "512m",
    "yarn.am.memory": "256m",
    "executor.memory": "512m",
    "executor.cores": "1",
    "executor.instances": "2",
}
MODES = {"cluster": ("cluster", {}), "client": ("client", {}), "unmanaged": ("client", {"yarn.unmanagedAM.enabled": "true"})}


def run(command, **options):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError("%s: status %d\n%s" % (" ".join(command), done.returncode, done.stdout))
    return done.stdout


def compile_program(source, jars, jar, work):
    classes = tempfile.mkdtemp(dir=work)
    run(["javac", "--release", "17", "-cp", os.pathsep.join(jars), "-d", classes, *glob.glob(source + "/peer/*.java")])
    run(["jar", "--create", "--date=2020-01-01T00:00:00Z", "--file", jar, "-C", classes, "."])


def spark_home(cache, work):
    """Makes an installation of Spark from its jars, with the application, in the cache."""
    home = os.path.join(cache, "spark")
    if not os.path.exists(home + "/jars"):
        part = tempfile.mkdtemp(dir=cache)
        run(["mvn", "-q", "-B", "-f", PEER + "/pom.xml", "dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory=" + part + "/jars"])
        os.mkdir(part + "/bin")
        os.mkdir(part + "/conf")
        shutil.copy(PEER + "/spark/spark-submit", part + "/bin/")
        compile_program(PEER + "/spark", [part + "/jars/*"], part + "/first-task.jar", work)
        os.rename(part, home)
    return home


def setting(directory, file, name):
    for entry in xml.etree.ElementTree.parse(os.path.join(directory, file)).getroot():
        if entry.findtext("name") == name:
            return entry.findtext("value")
    raise RuntimeError("%s: %s is missing (expected: the configuration of a cluster that is up)" % (file, name))


def upload(directory, target, jars):
    """Puts the jars into HDFS by WebHDFS, as the user root, unless they are there; returns the address of the directory."""
    web = "http://%s/webhdfs/v1" % setting(directory, "hdfs-site.xml", "dfs.namenode.http-address")

    def request(method, url, data=None):
        return urllib.request.urlopen(urllib.request.Request(url, data=data, method=method), timeout=30)

    request("PUT", "%s%s?op=MKDIRS&user.name=root" % (web, target)).read()
    listing = request("GET", "%s%s?op=LISTSTATUS&user.name=root" % (web, target)).read().decode()
    for jar in jars:
        if '"pathSuffix":"%s"' % os.path.basename(jar) not in listing:
            place = "%s%s/%s?op=CREATE&user.name=root&noredirect=true" % (web, target, os.path.basename(jar))
            location = re.search(r'"Location":"([^"]+)"', request("PUT", place).read().decode()).group(1)
            with open(jar, "rb") as content:
                request("PUT", location, content.read()).read()
    return "%s%s" % (setting(directory, "core-site.xml", "fs.defaultFS"), target)


def submit(engine, home, mode, jar, extra, work):
    """Submits the application; returns the seconds to its first task and to the end of submit, and the memory of submit in MB."""
    deploy, of_mode = MODES[mode]
    prefix = "hearth" if engine == "hearth" else "spark"
    first = os.path.join(work, "first-%d" % time.time_ns())
    command = ["%s/bin/%s" % (home, "submit" if engine == "hearth" else "spark-submit"), "--master", "yarn", "--deploy-mode", deploy, "--class", "peer.FirstTask"]
    for key, value in {**COMMON, **of_mode, **extra}.items():
        command += ["--conf", "%s.%s=%s" % (prefix, key, value)]
    log = tempfile.TemporaryFile("w+")
    started = time.time()
    process = subprocess.Popen(command + [jar, first], stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    deadline = started + SUBMIT_SECONDS_MAX
    memory = 0
    while process.poll() is None:
        if time.time() > deadline:
            process.kill()
        try:
            memory = max(memory, int(re.search(r"VmHWM:\s+(\d+)", open("/proc/%d/status" % process.pid).read()).group(1)))
        except (OSError, AttributeError):  # it has ended
            pass
        time.sleep(0.02)
    ended = time.time()
    log.seek(0)
    if process.returncode != 0 or not os.path.exists(first):
        raise RuntimeError("%s: status %d\n%s" % (" ".join(command), process.returncode, log.read()))
    return int(open(first).read()) / 1000 - started, ended - started, memory / 1024


def make_archives(home, jar, work):
    """Starts an application, which begins to make the archives of classes of this user, and waits until they are there."""
    if os.environ.get("HEARTH_CDS") == "off":
        return
    began = time.time()
    submit("hearth", home, "cluster", jar, {}, work)
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    name = re.sub("[^A-Za-z0-9.-]", "_", os.path.realpath(home))[-100:]
    last = "%s/hearth/%s-*-yarn-submit.jsa" % (cache, name[1:] if name.startswith("_") else name)
    while not glob.glob(last):
        if time.time() > began + ARCHIVES_SECONDS_MAX:
            raise RuntimeError("%s: missing (expected: the last archive of classes); see the *.lock directories there" % last)
        time.sleep(1)
    print("archives of classes made after %.0f s" % (time.time() - began), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", required=True, help="a distribution with Hadoop")
    parser.add_argument("--cache", default=os.path.expanduser("~/.cache/hearth-yarn-peer"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--modes", default="cluster,client,unmanaged")
    parser.add_argument("--engines", default="hearth,spark,spark-archive")
    arguments = parser.parse_args()
    home = os.path.abspath(arguments.home)
    configuration = os.environ["HADOOP_CONF_DIR"]
    os.makedirs(arguments.cache, exist_ok=True)
    work = tempfile.mkdtemp(prefix="hearth-peer-")
    os.chmod(work, 0o777)
    try:
        names = arguments.engines.split(",")
        engines = {}
        if "hearth" in names:
            jar = os.path.join(work, "first-task.jar")
            compile_program(os.path.join(PEER, "hearth"), glob.glob(home + "/lib/*.jar"), jar, work)
            engines["hearth"] = (home, jar, {})
            make_archives(home, jar, work)
        if "spark" in names or "spark-archive" in names:
            spark = spark_home(arguments.cache, work)
            engines["spark"] = (spark, spark + "/first-task.jar", {})
            if "spark-archive" in names:
                address = upload(configuration, "/spark-jars", sorted(glob.glob(spark + "/jars/*.jar")))
                engines["spark-archive"] = (spark, spark + "/first-task.jar", {"yarn.jars": address + "/*.jar"})
            if "spark" not in names:
                del engines["spark"]
        for mode in arguments.modes.split(","):
            results = {name: [] for name in engines}
            for number in range(arguments.rounds + 1):  # the first round fills the caches of the NodeManagers
                for name, (place, jar, extra) in engines.items():
                    result = submit(name, place, mode, jar, extra, work)
                    if number:
                        results[name].append(result)
                    print("%s %d %-13s first task %.2f s, end %.2f s, submit %.0f MB, load %.1f" % (
                        mode, number, name, *result, os.getloadavg()[0]), flush=True)
            medians = {name: [statistics.median(values) for values in zip(*rows)] for name, rows in results.items()}
            for name, (first, end, memory) in medians.items():
                print("%s %-13s p50 first task %.2f s, most %.2f s; end %.2f s; submit %.0f MB" % (
                    mode, name, first, max(row[0] for row in results[name]), end, memory))
            for name in medians:
                if name != "hearth" and "hearth" in medians:
                    print("%s %s / hearth: first task %.1f, end %.1f" % (mode, name, *(medians[name][i] / medians["hearth"][i] for i in range(2))), flush=True)
    finally:
        shutil.rmtree(work, ignore_errors=True)


main()
