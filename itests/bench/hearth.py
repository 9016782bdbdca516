"""Hearth, built from this tree, as an engine of the shared benchmark (its engines/README.md is the contract)."""
import glob
import os
import re
import shutil
import subprocess
import time
import zipfile

BENCH = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(BENCH))
PROGRAMS = "dev.hearth.itests.bench."
ARCHIVE_SECONDS_MAX = 60
DAEMON_SECONDS_MAX = 60
DAEMON_STOP_SECONDS_MAX = 15
TOKEN = "-Dbench.token"
REAL, IN_DRIVER = {"cluster": "standalone"}, {"cluster": "local-cluster"}


class Cluster:
    """A master and a worker of the installation, each a process of its own, on free ports.

    It starts with the first use of its URL: the applications on local-cluster, which run before, would otherwise have the
    memory of two idle daemons counted as theirs.
    """

    def __init__(self, ctx, hearth, environment):
        self.ctx, self.hearth, self.environment = ctx, hearth, environment
        self.processes, self.roles, self.t = [], {}, {}
        self.address = None

    @property
    def url(self):
        if self.address is None:
            try:
                self.address = self.start("master", "--port", "0")
                self.start("worker", "--cores", "2", "--memory", "10g", "--work-dir", self.ctx.tmp + "/hearth-work", self.address)
            except Exception:
                self.stop()
                raise
        return self.address

    def start(self, role, *arguments):
        """Returns the line by which a daemon says that it is ready; a worker prints it once the master has registered it."""
        started = time.monotonic()
        output = self.ctx.log("hearth-%s.out" % role)
        with open(output, "wb") as out, open(self.ctx.log("hearth-%s.err" % role), "ab") as errors:
            process = subprocess.Popen([self.hearth, role, *arguments], env=self.environment, stdin=subprocess.DEVNULL,
                                       stdout=out, stderr=errors)
        self.processes.append(process)
        self.roles[role] = process.pid
        while True:
            with open(output) as lines:
                line = lines.readline()
            if line.endswith("\n"):
                break
            if process.poll() is not None or time.monotonic() - started > DAEMON_SECONDS_MAX:
                raise RuntimeError("%s: did not start (expected: a line in %s)" % (role, output))
            time.sleep(0.02)
        self.t[role] = time.monotonic() - started
        return line.strip()

    def executors(self):
        """Process ids of the executors that the worker has started."""
        found = []
        for file in glob.glob("/proc/[0-9]*/cmdline"):
            try:
                with open(file, "rb") as command, open(os.path.dirname(file) + "/status") as status:
                    words = command.read().rstrip(b"\0").split(b"\0")
                    parent = re.search(r"^PPid:\t(\d+)", status.read(), re.MULTILINE)
                if words[-1] == b"executor" and TOKEN.encode() in words and parent and int(parent.group(1)) == self.roles.get("worker"):
                    found.append(int(file.split("/")[2]))
            except OSError:  # it ended meanwhile
                pass
        return found

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(DAEMON_STOP_SECONDS_MAX)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processes, self.roles, self.address = [], {}, None


class Engine:
    name = "hearth"

    def prepare(self, ctx):
        subprocess.run(["mvn", "-o", "-q", "-Dquick", "-Dmaven.test.skip=true", "-pl", "itests/bench,platform/embedded,distribution",
                        "-am", "package"], cwd=ROOT, check=True)
        with open(BENCH + "/target/class-path.txt") as built:
            self.class_path = BENCH + "/target/classes:" + built.read().strip()
        self.plain = ":".join([BENCH + "/target/programs.jar", self.one(ROOT + "/platform/embedded/target/hearth-embedded-*.jar")]
                              + [jar for jar in self.class_path.split(":") if "/slf4j-api-" in jar])
        with zipfile.ZipFile(BENCH + "/target/programs.jar", "w", zipfile.ZIP_DEFLATED) as jar:
            for name in glob.glob(BENCH + "/target/classes/**/*.class", recursive=True):
                jar.write(name, os.path.relpath(name, BENCH + "/target/classes"))
        self.make_installation(ctx)
        self.environment = dict(os.environ, XDG_CACHE_HOME=ctx.tmp + "/hearth-cache")
        self.make_archive(ctx)
        commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True)
        return "Hearth " + (commit.stdout.strip() or "without a commit")

    def one(self, pattern):
        found = [name for name in glob.glob(pattern) if not os.path.basename(name).startswith("original-")]
        if len(found) != 1:
            raise RuntimeError("%s: %s (expected: one file)" % (pattern, found))
        return found[0]

    def make_installation(self, ctx):
        """Copies the distribution and adds the token to the options of Java of each role.

        The files of the roles reach all processes alike: HEARTH_JAVA_OPTS reaches only the process that bin/hearth starts, not
        the child processes of that one.
        """
        built = os.path.dirname(os.path.dirname(self.one(ROOT + "/distribution/target/hearth-*/bin/submit")))
        home = ctx.tmp + "/hearth-home"
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(built, home, symlinks=True)
        for file in glob.glob(home + "/roles/*.properties"):
            with open(file) as role:
                text = role.read()
            text, changed = re.subn(r"(?m)^jvm=.*$", lambda line: line.group() + " " + TOKEN, text)
            if changed != 1:
                raise RuntimeError("%s: %d lines with jvm= (expected: one)" % (file, changed))
            with open(file, "w") as role:
                role.write(text)
        self.submit_script, self.hearth_script = home + "/bin/submit", home + "/bin/hearth"

    def make_archive(self, ctx):
        """The first start of an installation makes its archive of classes in the background; it is over before anything counts."""
        subprocess.run(self.count_app(ctx, {"way": "submit"})[0], env=self.environment, check=True, stdout=subprocess.DEVNULL)
        end = time.monotonic() + ARCHIVE_SECONDS_MAX
        while not glob.glob(ctx.tmp + "/hearth-cache/hearth/*hearth-home-*.jsa"):
            if time.monotonic() > end:
                raise RuntimeError("archive of classes: none after %d s" % ARCHIVE_SECONDS_MAX)
            time.sleep(0.1)

    def java(self, heap, main, arguments):
        return ["java", "-Dbench.token", "-Xmx" + heap, "-cp", self.class_path, PROGRAMS + main] + arguments, dict(os.environ)

    def variants(self, workload, mode):
        if mode == "standalone":  # local-cluster first: see Cluster
            suffix = ";ser=kryo" if workload.startswith("W4") else ""
            if workload not in ("W3", "W6") and not suffix:
                return None
            return [("local-cluster" + suffix, IN_DRIVER), ("standalone" + suffix, REAL)]
        if mode != "local":
            return None
        if workload == "W1":
            return [("local[2];ui=off", {"way": "embedded"}), ("local[2];ui=off;submit", {"way": "submit"})]
        if workload == "W3":
            return [("local[2]", {"capture": "none"}), ("local[2];capture=list", {"capture": "list"}),
                    ("local[2];events=tasks", {"capture": "none", "events": "tasks"})]
        if workload.startswith("W4"):
            return [("local[2];ser=kryo", {})]
        if workload == "W5":
            return [("local[2];ser=java", {"level": "MEMORY_ONLY"}), ("local[2];ser=kryo-reg", {"level": "MEMORY_ONLY_SER"})]
        if workload in ("W6", "W8"):
            return [("local[2]", {})]
        return None

    def app(self, ctx, workload, mode, values, variant, settings, cluster):
        settings = dict(settings)
        real = settings.pop("cluster", None) == "standalone"
        arguments = ["client", "variant=" + variant] + ["%s=%s" % pair for pair in {**values, **settings}.items()]
        if workload.startswith("W4"):
            arguments.append("work=" + workload)
        if mode == "standalone":
            return self.submitted(ctx, workload, arguments, cluster.url if real else None)
        return (["java", "-Dbench.token", "-Xmx" + ctx.heap, "-cp", self.plain, PROGRAMS + self.program_of(workload)] + arguments,
                self.environment)

    def submitted(self, ctx, workload, arguments, url):
        """One executor of two cores in a process of its own, as the peer's is: on the cluster of that URL, or on local-cluster."""
        megabytes = int(ctx.exec_heap[:-1]) * (1024 if ctx.exec_heap[-1] == "g" else 1)
        master = url or "local-cluster[1,2,%d]" % megabytes
        return ([self.submit_script, "--driver-memory", "2g", "--master", master, "--executor-memory", "%dm" % megabytes,
                 "--executor-cores", "2", "--total-executor-cores", "2",
                 "--class", PROGRAMS + self.program_of(workload), BENCH + "/target/programs.jar"] + arguments + ["master=" + master],
                self.environment)

    @staticmethod
    def program_of(workload):
        return {"W3": "JobBench", "W5": "KeepBench", "W6": "ShareBench", "W8": "WordBench"}.get(workload, "PairBench")

    def count_app(self, ctx, settings):
        if settings["way"] == "embedded":
            return ["java", "-Dbench.token", "-Xmx1g", "-cp", self.plain, PROGRAMS + "CountApp"], self.environment
        return [self.submit_script, "--driver-memory", "1g", "--master", "local[2]",
                "--class", PROGRAMS + "CountApp", BENCH + "/target/programs.jar"], self.environment

    def start_cluster(self, ctx, rest=True):
        """Starts the cluster at once for W2, which asks for rest; otherwise the cluster starts when a variant needs it."""
        cluster = Cluster(ctx, self.hearth_script, self.environment)
        if rest:
            cluster.url
        return cluster

    def submit(self, ctx, how, cluster):
        """W2: the peer's Pi with the memory that Spark has by default. In cluster mode bin/submit waits until the application has ended."""
        master = ["--master", "local[2]" if how == "local" else cluster.url]
        mode = ["--deploy-mode", "cluster"] if how == "cluster" else []
        return ([self.submit_script] + master + mode + ["--driver-memory", "1g", "--executor-memory", "1g",
                 "--class", PROGRAMS + "PiApp", BENCH + "/target/programs.jar", "2"], self.environment)

    def cluster_done(self, ctx, cluster, output):
        """bin/submit ended with status 0, which it does only after the state FINISHED."""
        return True

    def rpc(self, ctx, role, port, values):
        return self.program("RpcBench", role, port, values)

    def program(self, main, role, port, values):
        """One of the programs of this module; what rpc.py starts beyond the contract."""
        return self.java("1g", main, [role, "port=%d" % port] + ["%s=%s" % pair for pair in values.items()])
