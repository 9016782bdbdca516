package dev.hearth.standalone.internal.worker;

import dev.hearth.spi.net.RpcAddress;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * Time until the workers of a killed master are registered with the next one, and what that costs its event loop: drill 13. The
 * workers are imitated in this process, each with a connection. Arguments: the directory of the distribution, the number of
 * workers, and how often the master is killed.
 */
public final class ReconnectBench {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long POLL_NANOS = 20_000_000;
    private static final long SECONDS_MAX = 120;

    private ReconnectBench() {}

    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        Path home = Path.of(arguments[0]);
        int workers = Integer.parseInt(arguments[1]);
        int kills = Integer.parseInt(arguments[2]);
        Path directory = Files.createTempDirectory("reconnect");
        int port = freePort();
        BenchMaster master = new BenchMaster(home, directory, port, List.of());
        long begun = System.nanoTime();
        try (ImitatedWorkers imitated = new ImitatedWorkers(new RpcAddress("127.0.0.1", port), workers, 8)) {
            await(master, workers);
            System.out.printf(
                    Locale.ROOT,
                    "%d workers registered for the first time after %.1f s%n",
                    workers,
                    (System.nanoTime() - begun) / NANOS_PER_SECOND);
            for (int kill = 0; kill < kills; kill++) {
                long killed = System.nanoTime();
                master.close();
                master = new BenchMaster(home, directory, port, List.of());
                long ready = System.nanoTime();
                double loop = master.loopSeconds();
                double all = master.cpuSeconds();
                await(master, workers);
                double seconds = (System.nanoTime() - ready) / NANOS_PER_SECOND;
                System.out.printf(
                        Locale.ROOT,
                        "%d workers back %.1f s after the master was ready, %.1f s after the kill; CPU of its loop"
                                + " %.2f s, %.0f %% of that time; of all its threads %.1f s; %.0f MiB; %s%n",
                        imitated.size(),
                        seconds,
                        (System.nanoTime() - killed) / NANOS_PER_SECOND,
                        master.loopSeconds() - loop,
                        100 * (master.loopSeconds() - loop) / seconds,
                        master.cpuSeconds() - all,
                        master.mebibytes(),
                        BenchMaster.load());
            }
        } finally {
            master.close();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static void await(BenchMaster master, int workers) throws IOException {
        long until = System.nanoTime() + (long) (SECONDS_MAX * NANOS_PER_SECOND);
        String page = master.page("/json/aliveworkers");
        while (!page.matches("(?s).*\"aliveworkers\":" + workers + "\\D.*")) {
            if (System.nanoTime() > until) {
                throw new IOException(page + " after " + SECONDS_MAX + " s (expected: " + workers + ")");
            }
            LockSupport.parkNanos(POLL_NANOS);
            page = master.page("/json/aliveworkers");
        }
    }
}
