package dev.hearth.standalone.internal.worker;

import dev.hearth.spi.net.RpcAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Memory of a master and time to the acknowledgement once many drivers have ended: drill 17. One imitated worker ends each driver
 * at once. Arguments: the directory of the distribution, the drivers to end first, the submissions a second after that, and the
 * seconds for which they go on.
 */
public final class EndedDriversBench {
    private static final int CLIENTS = 64;
    private static final int CORES = 100_000;
    private static final int WINDOWS = 10;
    private static final int HALF = 50;
    private static final int ALMOST_ALL = 99;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private EndedDriversBench() {}

    public static void main(String[] arguments)
            throws IOException, InterruptedException, ReflectiveOperationException, ExecutionException {
        Path home = Path.of(arguments[0]);
        int first = Integer.parseInt(arguments[1]);
        int perSecond = Integer.parseInt(arguments[2]);
        int seconds = Integer.parseInt(arguments[3]);
        Path directory = Files.createTempDirectory("ended");
        List<String> settings = List.of("hearth.deploy.retainedTime=1d", "hearth.deploy.requestsKeptTime=1d");
        try (BenchMaster master = new BenchMaster(home, directory, 0, settings);
                ImitatedWorkers worker = new ImitatedWorkers(
                        new RpcAddress(
                                master.address().getHost(), master.address().getPort()),
                        1,
                        CORES)) {
            print("begin", new long[0], master);
            int window = first / WINDOWS;
            for (int i = 0; i < WINDOWS && window > 0; i++) {
                print((i + 1) * window + " drivers, as fast as they go", submit(master, i, window, 0), master);
            }
            for (int i = 0; i < WINDOWS; i++) {
                int count = perSecond * seconds / WINDOWS;
                String what = first + (i + 1) * count + " drivers, " + perSecond + " a second";
                print(what, submit(master, WINDOWS + i, count, perSecond), master);
            }
            System.out.println(worker.started() + " drivers started");
        }
    }

    private static void print(String what, long[] nanos, BenchMaster master) throws IOException {
        System.out.printf(
                Locale.ROOT,
                "%s: acknowledged in %.2f ms (p50), %.2f ms (p99); %.0f MiB, %.1f CPU s, %s%n",
                what,
                percentile(nanos, HALF),
                percentile(nanos, ALMOST_ALL),
                master.mebibytes(),
                master.cpuSeconds(),
                BenchMaster.load());
    }

    /** Submits {@code count} drivers, at most {@code perSecond} a second if that is not 0; returns the times of all, sorted. */
    private static long[] submit(BenchMaster master, int window, int count, int perSecond)
            throws InterruptedException, ExecutionException {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        AtomicLong next = new AtomicLong();
        long begun = System.nanoTime();
        List<Future<long[]>> running = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            running.add(clients.submit(() -> client(master, window, next, count, begun, perSecond)));
        }
        clients.shutdown();
        List<long[]> all = new ArrayList<>();
        for (Future<long[]> each : running) {
            all.add(each.get());
        }
        return all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    }

    private static long[] client(BenchMaster master, int window, AtomicLong next, int count, long begun, int perSecond)
            throws IOException {
        long[] times = new long[count];
        int done = 0;
        for (long n = next.getAndIncrement(); n < count; n = next.getAndIncrement()) {
            if (perSecond > 0) {
                long at = begun + n * NANOS_PER_SECOND / perSecond;
                while (System.nanoTime() < at) {
                    LockSupport.parkNanos(at - System.nanoTime());
                }
            }
            long sent = System.nanoTime();
            master.submit("ended-" + ProcessHandle.current().pid() + "-" + window + "-" + n);
            times[done++] = System.nanoTime() - sent;
        }
        return Arrays.copyOf(times, done);
    }

    private static double percentile(long[] sorted, int percent) {
        return sorted.length == 0 ? 0 : sorted[(int) ((long) (sorted.length - 1) * percent / 100)] / NANOS_PER_MILLI;
    }
}
