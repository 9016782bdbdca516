#!/usr/bin/env python3
"""Messages and bulk data: ours, the peer's and raw Netty's, alternating inside each round, with the ratios that are asked for.

    BENCH_HOME=~/.cache/hearth-bench itests/bench/rpc.py --rounds 3 [--quiet 0.2] [--works W7a,W7b,W7c,W7d,W7e] [--engines hearth]

Needs the shared benchmark built (its run.sh does that). Writes results.csv into --out and prints a table.
"""
import argparse, csv, importlib.util, os, re, shutil, signal, statistics, subprocess, sys, tempfile, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
BENCH_HOME = os.environ.get("BENCH_HOME", os.path.expanduser("~/.cache/hearth-bench"))
LINE = re.compile(r"^(W\d\w*),([^,|]*)\|([^,]*),([0-9.]+),([0-9.]+),([^,]*),(.*)$")
FIRST_PORT = 17890
READY_SECONDS_MAX = 60
CLIENT_SECONDS_MAX = 600
QUIET_SECONDS_MAX = 60
SPIN = """
import os, time
os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
end = time.monotonic() + 1800
while time.monotonic() < end and os.getppid() == %d:
    for _ in range(1000000):
        pass
""" % os.getpid()
FOREIGN_CORES_MAX = 0.3
BULK_BYTES = 1 << 30
CHUNK_BYTES = 1 << 20


class Context:
    """What the shared benchmark's engines ask of their caller."""
    home = BENCH_HOME
    jar = BENCH_HOME + "/target/spark-bench.jar"

    def __init__(self, directory):
        self.tmp = directory


def engine(path):
    spec = importlib.util.spec_from_file_location("engine_" + os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Engine()


def compile_peer(directory):
    classes = directory + "/peer-classes"
    subprocess.run(["javac", "--release", "17", "-nowarn", "-d", classes,
                    "-cp", "%s:%s/spark-home/jars/*" % (Context.jar, BENCH_HOME), HERE + "/peer/PeerSends.java"], check=True)
    return classes


def programs(context, directory, data):
    """Name of the engine, the works it does, and what starts its two processes: (role, port, values) -> command."""
    hearth, spark, plain = engine(HERE + "/hearth.py"), engine(BENCH_HOME + "/engines/spark.py"), engine(BENCH_HOME + "/engines/plain.py")
    for each in (spark, plain, hearth):
        print("%s: %s" % (each.name, each.prepare(context)), flush=True)
    classes = compile_peer(directory)

    def peer_sends(role, port, values):
        command, environment = spark.rpc(context, role, port, values)
        at = command.index("-cp")
        command[at + 1] += ":" + classes
        command[at + 2] = "peer.PeerSends"
        return command, environment

    def ours(main, more):
        return lambda role, port, values: hearth.program(main, role, port, dict(values, **more))

    bulk = {"file": data, "bytes": BULK_BYTES}
    return [
        ("spark", ("W7a", "W7b"), lambda role, port, values: spark.rpc(context, role, port, values)),
        ("plain", ("W7a", "W7b"), lambda role, port, values: plain.rpc(context, role, port, values)),
        ("hearth", ("W7a", "W7b"), ours("RpcBench", {"works": "ask"})),
        ("spark", ("W7c",), peer_sends),
        ("plain", ("W7c",), ours("RawSends", {})),
        ("hearth", ("W7c",), ours("RpcBench", {"works": "send"})),
        ("plain", ("W7d",), ours("RawFileRegion", bulk)),
        ("hearth", ("W7d",), ours("RpcBench", dict(bulk, works="bulk"))),
        ("hearth", ("W7e",), ours("RpcBench", dict(bulk, works="control"))),
    ]


def await_ready(server):
    said, lines = threading.Event(), []

    def read():
        for line in server.stdout:
            lines.append(line)
            if line.startswith("READY"):
                said.set()
        said.set()  # it ended
    threading.Thread(target=read, daemon=True).start()
    said.wait(READY_SECONDS_MAX)
    if not any(line.startswith("READY") for line in lines):
        raise RuntimeError("server: not ready within %d s (expected: a line READY); errors.log says more" % READY_SECONDS_MAX)


def busy_seconds():
    with open("/proc/stat") as stat:
        fields = [int(each) for each in stat.readline().split()[1:9]]
    return (fields[0] + fields[1] + fields[2] + fields[5] + fields[6]) / os.sysconf("SC_CLK_TCK")


def await_quiet(cores):
    """Waits, within a bound, until the machine used less than so many cores for two seconds."""
    end = time.monotonic() + QUIET_SECONDS_MAX
    while cores is not None and time.monotonic() < end:
        before = busy_seconds()
        time.sleep(2)
        if (busy_seconds() - before) / 2 < cores:
            return


def keep_awake():
    """One spinning process per core that gives way to everybody: no core halts, so that what is left is not the time to wake one."""
    return [subprocess.Popen([sys.executable, "-c", SPIN, "-Dbench.token"], stdin=subprocess.DEVNULL) for _ in range(os.cpu_count())]


def run(start, port, values, log):
    """Both processes of one engine; its result lines."""
    command, environment = start("server", port, values)
    server = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        await_ready(server)
        command, environment = start("client", port, values)
        client = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
                                text=True, timeout=CLIENT_SECONDS_MAX)
        if client.returncode != 0:
            raise RuntimeError("client: ended with %d (expected: 0): %s" % (client.returncode, " ".join(command[-6:])))
        return [match.groups() for match in map(LINE.match, client.stdout.splitlines()) if match]
    finally:
        server.kill()
        server.wait()


def pairs(text):
    return dict(pair.split("=", 1) for pair in text.split(";") if "=" in pair)


def calm(repetitions):
    """Those that other processes disturbed little, and no mark; all of them with a star, when fewer than two are."""
    chosen = [each for each in repetitions if float(each["foreign"]) <= FOREIGN_CORES_MAX]
    return (chosen, "") if len(chosen) >= 2 else (repetitions, "*")


def table(rows):
    """Medians over the calm warm repetitions, and ratios of what is compared: median latency for W7a, throughput otherwise."""
    found = {}
    for _, name, workload, work, variant, _, throughput, unit, extra in rows:
        repetition = dict(pairs(extra), rate=throughput, unit=unit)
        if int(repetition["rep"]) > 0:
            found.setdefault((workload, work, name, variant), []).append(repetition)
    kept, mark = {}, {}
    for key, repetitions in found.items():
        kept[key], mark[key] = calm(repetitions)

    def median(key, what):
        return statistics.median(float(each[what]) for each in kept[key])
    rate = {key: median(key, "rate") for key in kept}
    p50 = {key: median(key, "p50_us") for key in kept if "p50_us" in kept[key][0]}
    print("\n| workload | work | engine | variant | n | per second | p50 us | p99 us | cpu s | to peer | to limit |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for key in kept:
        measured = p50 if key in p50 else rate
        best = min if measured is p50 else max

        def ratio(name):
            others = [measured[other] for other in measured if other[:3] == key[:2] + (name,)]
            return "" if not others or key[2] == name else "%.2fx" % (measured[key] / best(others))
        shown = "%.0f MB" % (rate[key] / 1e6) if kept[key][0]["unit"] == "B/s" else "%.0f msg" % rate[key]
        tail = ("%.1f" % p50[key], "%.1f" % median(key, "p99_us")) if key in p50 else ("", "")
        print("| %s | %s | %s | %s | %d/%d%s | %s | %s | %s | %.2f | %s | %s |" % (
            key + (len(kept[key]), len(found[key]), mark[key], shown) + tail + (median(key, "cpu"), ratio("spark"), ratio("plain"))))
    print("\nRatios: of p50 for W7a (less is better), of messages or bytes per second otherwise; the limit is its best variant.\n"
          "n: repetitions used/made; * marks figures taken while other processes disturbed, which no ratio should be drawn from.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--calls", type=int, default=20000)
    parser.add_argument("--reps", type=int, default=3, help="warm repetitions in each process")
    parser.add_argument("--works", default="W7a,W7b,W7c,W7d,W7e", help="W7a and W7b come together")
    parser.add_argument("--engines", default="spark,plain,hearth")
    parser.add_argument("--quiet", type=float, help="before each engine wait until others use less than so many cores")
    parser.add_argument("--awake", action="store_true",
                        help="keeps cores from halting, which otherwise is most of a latency; the cpu column then says nothing")
    parser.add_argument("--out", default="bench-results/rpc")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # processes and files go on this way out too
    os.makedirs(options.out, exist_ok=True)
    directory = tempfile.mkdtemp(prefix="hearth-bench-")
    try:
        data = directory + "/bulk"
        works = options.works.split(",")
        if "W7d" in works or "W7e" in works:
            with open(data, "wb") as file:
                for _ in range(BULK_BYTES // CHUNK_BYTES):
                    file.write(os.urandom(CHUNK_BYTES))
        chosen = [each for each in programs(Context(directory), directory, data)
                  if each[0] in options.engines.split(",") and set(each[1]) & set(works)]
        rows = []
        with open(options.out + "/results.csv", "w", newline="") as results, open(options.out + "/errors.log", "wb") as log:
            writer = csv.writer(results)
            writer.writerow(["round", "engine", "workload", "work", "variant", "seconds", "throughput", "unit", "extra"])
            for number in range(options.rounds):
                for index, (name, _, start) in enumerate(chosen):
                    await_quiet(options.quiet)
                    spinning = keep_awake() if options.awake else []
                    try:
                        lines = run(start, FIRST_PORT + index, {"calls": options.calls, "reps": options.reps}, log)
                    finally:
                        for each in spinning:
                            each.kill()
                            each.wait()
                    for line in lines:
                        rows.append((number, name) + line)
                        writer.writerow(rows[-1])
                        print("%d %-7s %s %s|%s %.0f %s %s" % (number, name, line[0], line[1], line[2], float(line[4]), line[5], line[6]), flush=True)
        table(rows)
    finally:
        shutil.rmtree(directory)


if __name__ == "__main__":
    sys.exit(main())
