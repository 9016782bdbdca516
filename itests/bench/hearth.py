"""Hearth, built from this tree, as an engine of the shared benchmark (its engines/README.md is the contract)."""
import os
import subprocess

BENCH = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(BENCH))
PROGRAMS = "dev.hearth.itests.bench."


class Engine:
    name = "hearth"

    def prepare(self, ctx):
        subprocess.run(["mvn", "-o", "-q", "-Dquick", "-Dmaven.test.skip=true", "-pl", "itests/bench", "-am", "package"],
                       cwd=ROOT, check=True)
        with open(BENCH + "/target/class-path.txt") as built:
            self.class_path = BENCH + "/target/classes:" + built.read().strip()
        commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True)
        return "Hearth " + (commit.stdout.strip() or "without a commit")

    def java(self, heap, main, arguments):
        return ["java", "-Dbench.token", "-Xmx" + heap, "-cp", self.class_path, PROGRAMS + main] + arguments, dict(os.environ)

    def variants(self, workload, mode):
        return None

    def app(self, ctx, workload, mode, values, variant, settings, cluster):
        return None

    def count_app(self, ctx, settings):
        return None

    def start_cluster(self, ctx, rest=True):
        return None

    def rpc(self, ctx, role, port, values):
        return self.program("RpcBench", role, port, values)

    def program(self, main, role, port, values):
        """One of the programs of this module; what rpc.py starts beyond the contract."""
        return self.java("1g", main, [role, "port=%d" % port] + ["%s=%s" % pair for pair in values.items()])
