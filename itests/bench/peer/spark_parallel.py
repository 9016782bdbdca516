"""The peer with -XX:+UseParallelGC in its drivers and executors, as the roles submit and executor of Hearth have it.

An engine of the shared benchmark, to run beside its engines/spark.py. It offers what Hearth starts by bin/submit: W1, W2 and
the workloads on a cluster. Elsewhere both engines run on the collector that Java chooses, and this one offers nothing.
"""
import importlib.util
import os

import summary  # of the shared benchmark, whose tools are on the path

HOME = os.path.dirname(os.path.dirname(os.path.abspath(summary.__file__)))
COLLECTOR = "-XX:+UseParallelGC"


def shared_engine():
    spec = importlib.util.spec_from_file_location("engine_shared_spark", HOME + "/engines/spark.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Engine


class Engine(shared_engine()):
    name = "spark-parallel"
    rpc = property()  # no W7: the shared benchmark asks whether the attribute exists

    def java(self, ctx, heap, conf, main, args):
        command = super().java(ctx, heap, conf, main, args)
        return command[:1] + [COLLECTOR] + command[1:]

    def conf(self, mode, settings, cluster, ctx):
        conf = super().conf(mode, settings, cluster, ctx)
        if mode == "standalone":
            conf["spark.executor.extraJavaOptions"] += " " + COLLECTOR
        return conf

    def variants(self, workload, mode):
        return super().variants(workload, mode) if workload == "W1" or mode == "standalone" else None

    def submit(self, ctx, how, cluster):
        command, environment = super().submit(ctx, how, cluster)
        return [word + " " + COLLECTOR if "extraJavaOptions=" in word else word for word in command], environment
