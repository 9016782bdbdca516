package dev.hearth.standalone.internal.master;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.EndApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerHeartbeat;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Heap that a master keeps after many submissions at 50 a second in virtual time, each with an application of two executors.
 * Prints it ten times. Argument: the number of submissions, by default 1,000,000.
 */
public final class MasterMemory {
    private static final long STEP_NANOS = Duration.ofMillis(20).toNanos();
    private static final long WORKER = 1;
    private static final double MEBIBYTE = 1024 * 1024;

    private final Master master =
            new Master(MasterSettings.DEFAULTS, new IdGenerator(Instant.parse("2026-11-18T09:47:46Z"), 0), 0);
    private long now;

    private MasterMemory() {}

    public static void main(String[] arguments) {
        int submissions = arguments.length == 0 ? 1_000_000 : Integer.parseInt(arguments[0]);
        MasterMemory memory = new MasterMemory();
        memory.master.registerWorker(new RegisterWorker("worker-1", "10.0.0.1", 7_078, 64, 65_536, "/work"), WORKER, 0);
        long started = System.nanoTime();
        for (int i = 1; i <= submissions; i++) {
            memory.submission(i);
            if (i % Math.max(1, submissions / 10) == 0) {
                System.gc();
                Runtime runtime = Runtime.getRuntime();
                System.out.printf(
                        Locale.ROOT,
                        "%d submissions: %.1f MiB of heap, %.1f us each%n",
                        i,
                        (runtime.totalMemory() - runtime.freeMemory()) / MEBIBYTE,
                        (System.nanoTime() - started) / 1e3 / i);
            }
        }
    }

    private void submission(int number) {
        now += STEP_NANOS;
        long driverPeer = 2L + number;
        Map<String, String> settings =
                Map.of("hearth.app.name", "pi", "hearth.executor.memory", "1g", "x", "y" + number);
        DriverSpec driver = new DriverSpec(
                "pi", "x.Pi", "/opt/applications/x-" + number + ".jar", List.of("100"), settings, 1, 512);
        SubmissionId id = master.submit(new SubmitDriver("request-" + number, driver, ""), driverPeer, now)
                .submission();
        master.settle(now);
        ApplicationId application = register(id, settings, driverPeer);
        master.want(new WantExecutors(application, 2, List.of(), Map.of()), driverPeer);
        List<LaunchExecutor> launched = master.settle(now).stream()
                .filter(MasterEffect.Send.class::isInstance)
                .map(effect -> ((MasterEffect.Send) effect).message())
                .filter(LaunchExecutor.class::isInstance)
                .map(LaunchExecutor.class::cast)
                .toList();
        master.end(new EndApplication(application, "FINISHED"), driverPeer, now);
        launched.forEach(executor -> master.executorEnded(
                new ExecutorEnded(
                        application, executor.executor(), OptionalInt.of(143), "exit status 143", List.of("stderr")),
                WORKER,
                now));
        master.driverEnded(
                new DriverEnded(id, OptionalInt.of(0), "exit status 0", "Pi is roughly 3.14" + number, ""),
                WORKER,
                now);
        master.workerHeartbeat(new WorkerHeartbeat("worker-1", now), WORKER, now);
        master.settle(now);
        master.peerLost(driverPeer, "closed", now);
        master.settle(now);
    }

    private ApplicationId register(SubmissionId driver, Map<String, String> settings, long peer) {
        return master.registerApplication(
                        new RegisterApplication(
                                "pi",
                                "application",
                                "hearth://driver-1@10.0.0.1:4711",
                                OptionalInt.empty(),
                                OptionalInt.of(1),
                                512,
                                settings,
                                Map.of(),
                                "ann",
                                Optional.of(driver),
                                0),
                        peer,
                        now)
                .application();
    }
}
