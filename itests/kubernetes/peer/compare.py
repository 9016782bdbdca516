#!/usr/bin/env python3
"""Runs the same application in cluster mode of Hearth and of Spark, in turn, on the cluster that real-k8s.sh has started.

    K8S_CACHE=~/.cache/hearth-kubernetes itests/kubernetes/real-k8s.sh up
    K8S_CACHE=~/.cache/hearth-kubernetes itests/kubernetes/peer/compare.py --home distribution/target/hearth-0.1.0-SNAPSHOT --rounds 10

Each prints when its first task ran: two tasks on two executors of one core each. Start and first task are times of one clock, as the pods
run on this machine. Prints the times from the start of submit to the first task and to its end, its memory, and the ratios of the medians.
The images are made once for each distribution; the jars of Spark come from Maven (pom.xml).
"""
import argparse
import glob
import hashlib
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time

PEER = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(os.path.dirname(PEER), "real-k8s.sh")
HEARTH_IMAGE, SPARK_IMAGE = "localhost/k8s/hearth-peer:1", "localhost/k8s/spark-peer:1"
SUBMIT_SECONDS_MAX = 300
# Kubernetes 1.20 refuses the service that Spark's client applies (its port has no protocol); executors then use the address of the pod.
SPARK = {
    "kubernetes.driver.pod.excludedFeatureSteps": "org.apache.spark.deploy.k8s.features.DriverServiceFeatureStep",
    "kubernetes.executor.useDriverPodIP": "true",
}
COMMON = {
    "kubernetes.container.image.pullPolicy": "Never",
    "kubernetes.authenticate.driver.serviceAccountName": "peer",
    "kubernetes.driver.request.cores": "100m",
    "kubernetes.executor.request.cores": "50m",
    "driver.memory": "512m",
    "executor.memory": "512m",
    "executor.cores": "1",
    "executor.instances": "2",
}


def run(command, **options):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError("%s: status %d\n%s" % (" ".join(command), done.returncode, done.stdout))
    return done.stdout


def compile_program(source, jars, jar, work):
    classes = tempfile.mkdtemp(dir=work)
    run(["javac", "--release", "17", "-cp", os.pathsep.join(jars), "-d", classes, *glob.glob(source + "/peer/*.java")])
    run(["jar", "--create", "--date=2020-01-01T00:00:00Z", "--file", jar, "-C", classes, "."])


class Lab:
    def __init__(self, cache):
        self.cache = cache
        exports = run(["bash", SCRIPT, "env"])
        self.variables = dict(re.findall(r"export (\w+)='([^']*)'", exports))
        self.environment = {**os.environ, "KUBECONFIG": self.variables["KUBECONFIG"]}

    def kubectl(self, *arguments):
        return run([self.variables["K8S_KUBECTL"], "--kubeconfig", self.variables["KUBECONFIG"], *arguments])

    def has(self, image, digest):
        stamp = os.path.join(self.cache, "peer", re.sub(r"\W", "_", image) + ".digest")
        known = os.path.exists(stamp) and open(stamp).read() == digest
        return known, stamp


def hearth_image(lab, home, work):
    """Makes the image of the distribution with the application; returns the file."""
    digest = hashlib.sha256()
    for file in sorted(glob.glob(home + "/**/*.jar", recursive=True)):
        digest.update(open(file, "rb").read())
    file = os.path.join(lab.cache, "images", re.sub(r"[/:]", "_", HEARTH_IMAGE) + ".tar")
    known, stamp = lab.has(HEARTH_IMAGE, digest.hexdigest())
    if not known or not os.path.exists(file):
        jar = os.path.join(work, "first-task.jar")
        compile_program(os.path.join(PEER, "hearth"), glob.glob(home + "/lib/*.jar"), jar, work)
        print(run([home + "/images/make-image", "--to", file, "--tag", HEARTH_IMAGE, "--jar", jar]).strip())
        open(stamp, "w").write(digest.hexdigest())
    run(["bash", SCRIPT, "load", file])
    return file


def spark_home(lab, work):
    """Makes an installation of Spark from its jars, with the application, in the cache."""
    home = os.path.join(lab.cache, "peer", "spark")
    if not os.path.exists(home + "/jars"):
        part = tempfile.mkdtemp(dir=os.path.join(lab.cache, "peer"))
        run(["mvn", "-q", "-B", "-f", PEER + "/pom.xml", "dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory=" + part + "/jars"])
        os.mkdir(part + "/bin")
        os.mkdir(part + "/conf")
        shutil.copy(PEER + "/spark/spark-submit", part + "/bin/")
        compile_program(PEER + "/spark", [part + "/jars/*"], part + "/first-task.jar", work)
        os.rename(part, home)
    return home


def spark_image(lab, home, base, work):
    """Packs the base of the other image and the installation of Spark."""
    known, stamp = lab.has(SPARK_IMAGE, ",".join(sorted(os.listdir(home + "/jars"))))
    if known:
        return
    root, whole = work + "/root", work + "/image"
    with tarfile.open(base) as image:
        image.extractall(whole)
    os.mkdir(root)
    with tarfile.open(whole + "/base.tar") as layer:
        layer.extractall(root)
    shutil.copytree(home, root + "/opt/spark")
    for role in ("driver", "executor"):  # real-k8s.sh sets no entry point, so the first argument is the command
        with open(root + "/bin/" + role, "w") as script:
            script.write('#!/bin/bash\nexec /bin/entrypoint %s "$@"\n' % role)
        os.chmod(root + "/bin/" + role, 0o755)
    shutil.copy(PEER + "/spark/entrypoint", root + "/bin/entrypoint")
    java = json.load(open(glob.glob(whole + "/[0-9a-f]*.json")[0]))["config"]["Env"]
    java = [value.split("=", 1)[1] for value in java if value.startswith("JAVA_HOME=")][0]
    os.chmod(root + "/tmp", 0o1777)
    print(run(["bash", SCRIPT, "image", SPARK_IMAGE, root, "/bin/bash"],
              env={**os.environ, "PACK_PATH": java + "/bin:/bin:/usr/bin", "PACK_ENV": "JAVA_HOME=" + java}).strip())
    open(stamp, "w").write(",".join(sorted(os.listdir(home + "/jars"))))


def submit(lab, engine, home, image, jar, prefix, number):
    """Submits the application; returns the seconds to its first task and to the end of submit, and the memory of submit in MB."""
    pod = "%s-%d-%d-driver" % (engine, os.getpid(), number)
    conf = {**COMMON, **(SPARK if engine == "spark" else {}), "kubernetes.namespace": "peer", "kubernetes.container.image": image, "kubernetes.driver.pod.name": pod}
    command = ["%s/bin/%s" % (home, "submit" if engine == "hearth" else "spark-submit"), "--master", "k8s://" + lab.variables["K8S_API_URL"],
               "--deploy-mode", "cluster", "--class", "peer.FirstTask"]
    for key, value in conf.items():
        command += ["--conf", "%s.%s=%s" % (prefix, key, value)]
    log = tempfile.TemporaryFile("w+")
    started = time.time()
    process = subprocess.Popen(command + [jar], env=lab.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    deadline = started + SUBMIT_SECONDS_MAX
    memory = 0
    while process.poll() is None:
        if time.time() > deadline:
            process.kill()
        try:
            memory = max(memory, int(re.search(r"VmHWM:\s+(\d+)", open("/proc/%d/status" % process.pid).read()).group(1)))
        except (OSError, AttributeError):  # it has ended
            pass
        time.sleep(0.05)
    ended = time.time()
    log.seek(0)
    text = log.read()
    if process.returncode != 0:
        raise RuntimeError("%s: status %d\n%s" % (" ".join(command), process.returncode, text))
    found = re.search(r"first task at (\d+)", lab.kubectl("-n", "peer", "logs", pod))
    if not found:
        raise RuntimeError("%s: no line about its first task" % pod)
    lab.kubectl("-n", "peer", "delete", "pod", pod, "--wait=false")
    return int(found.group(1)) / 1000 - started, ended - started, memory / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=["hearth", "spark"])
    arguments = parser.parse_args()
    home = os.path.abspath(arguments.home)
    lab = Lab(os.path.abspath(os.environ["K8S_CACHE"]))
    os.makedirs(lab.cache + "/peer", exist_ok=True)
    work = tempfile.mkdtemp(prefix="hearth-peer-")
    try:
        base = hearth_image(lab, home, work)
        spark = spark_home(lab, work)
        spark_image(lab, spark, base, work)
        if "namespace/peer" not in lab.kubectl("get", "namespaces", "-o", "name"):
            lab.kubectl("create", "namespace", "peer")
            lab.kubectl("-n", "peer", "create", "serviceaccount", "peer")
            lab.kubectl("-n", "peer", "create", "rolebinding", "peer", "--clusterrole=edit", "--serviceaccount=peer:peer")
        engines = {
            "hearth": lambda n: submit(lab, "hearth", home, HEARTH_IMAGE, "local:///opt/hearth-home/jars/first-task.jar", "hearth", n),
            "spark": lambda n: submit(lab, "spark", spark, SPARK_IMAGE, "local:///opt/spark/first-task.jar", "spark", n),
        }
        if arguments.only:
            engines = {arguments.only: engines[arguments.only]}
        results = {name: [] for name in engines}
        for number in range(arguments.rounds + 1):  # the first round reads the files of the images
            for name, engine in engines.items():
                result = engine(number)
                if number:
                    results[name].append(result)
                print("%d %-6s first task %.2f s, end %.2f s, submit %.0f MB, load %.1f" % (number, name, *result, os.getloadavg()[0]), flush=True)
        medians = {name: [statistics.median(values) for values in zip(*rows)] for name, rows in results.items()}
        for name, (first, end, memory) in medians.items():
            print("%-6s p50 first task %.2f s, most %.2f s; end %.2f s; submit %.0f MB" % (
                name, first, max(row[0] for row in results[name]), end, memory))
        if len(medians) == 2:
            print("Spark / Hearth: first task %.1f, end %.1f" % tuple(medians["spark"][i] / medians["hearth"][i] for i in range(2)))
    finally:
        shutil.rmtree(work, ignore_errors=True)


main()
