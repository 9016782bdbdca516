package dev.hearth.itests.simulation;

import dev.hearth.rpc.internal.bulk.DirectoryContentStores;
import dev.hearth.rpc.internal.codec.WireRoundTrip;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.CleanupSettings;
import dev.hearth.spi.process.OutputFiles;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import dev.hearth.standalone.internal.client.StandaloneSubmitter;
import dev.hearth.standalone.internal.contents.ContentLedger;
import dev.hearth.standalone.internal.contents.HeldContents;
import dev.hearth.standalone.internal.master.MasterSettings;
import dev.hearth.standalone.internal.master.MasterShell;
import dev.hearth.standalone.internal.master.UploadDesk;
import dev.hearth.standalone.internal.worker.ContentFetches;
import dev.hearth.standalone.internal.worker.ServedExecutors;
import dev.hearth.standalone.internal.worker.WorkerShell;
import dev.hearth.standalone.internal.worker.WorkerSpec;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/**
 * A master and a worker with real stores on one disk, to which submitters send files while parts of the cluster end. The
 * network and the time are simulated.
 */
final class UploadCluster {
    static final Duration RETENTION = Duration.ofMinutes(1);

    private static final RpcAddress MASTER = new RpcAddress("127.0.0.1", 7077);
    private static final RpcAddress WORKER = new RpcAddress("127.0.0.1", 7078);
    private static final long BYTES_MAX = 200_000;
    private static final int FAULT_MILLIS_MAX = 20_000;

    private final Simulation simulation;
    private final Path directory;
    private final Map<String, SubmissionStatus> statuses = new LinkedHashMap<>();
    private final List<String> started = new ArrayList<>();
    private SimulatedProcess master;
    private SimulatedProcess worker;
    private HeldContents atMaster;
    private HeldContents atWorker;

    UploadCluster(long seed, Path directory) {
        this.directory = directory;
        this.simulation = new Simulation(seed, new WireRoundTrip()::copy);
        this.master = simulation.process("master");
        this.worker = simulation.process("worker");
        startMaster();
        startWorker();
    }

    private void startMaster() {
        EventLoop disk = master.loop("master-files");
        atMaster = new HeldContents(
                new DirectoryContentStores(),
                directory.resolve("master"),
                new ContentLedger("master.max", BYTES_MAX, RETENTION),
                disk.ticker());
        RpcEnv rpc = master.env(MASTER.host(), MASTER.port());
        UploadDesk desk = new UploadDesk(atMaster, disk, RETENTION);
        MasterShell shell = new MasterShell(MasterSettings.DEFAULTS, master.loop("master"), rpc, desk);
        desk.open(rpc);
        shell.start();
    }

    private void startWorker() {
        EventLoop disk = worker.loop("worker-files");
        atWorker = new HeldContents(
                new DirectoryContentStores(),
                directory.resolve("work"),
                new ContentLedger("worker.max", BYTES_MAX, Duration.ZERO),
                disk.ticker());
        RpcEnv rpc = worker.env(WORKER.host(), WORKER.port());
        SimulatedProcesses children = new SimulatedProcesses(worker, (spec, child) -> {
            String name = check(spec.orders().get("hearth.submission.resource.0"));
            started.add(name);
            simulation.schedule(Duration.ofMillis(simulation.random().nextInt(3_000)), () -> child.exitWith(0));
        });
        WorkerSpec spec = new WorkerSpec(
                "worker-" + simulation.ticker().nanos(),
                WORKER,
                4,
                4_000,
                directory.resolve("work"),
                OutputFiles.DEFAULTS,
                CleanupSettings.DEFAULTS,
                List.of(MASTER),
                WorkerSpec.Children.DEFAULTS);
        ContentFetches files = new ContentFetches(rpc.streams(), atWorker, disk);
        new WorkerShell(
                        spec,
                        worker.loop("worker"),
                        rpc,
                        children,
                        Runnable::run,
                        files,
                        ServedExecutors.NONE,
                        why -> {})
                .start();
    }

    /** Returns the name of a driver's jar, after the check that it has the bytes that were submitted under that name. */
    private static String check(String resource) {
        Path jar = SubmissionResource.parse(resource).path();
        try {
            String name = jar.getFileName().toString();
            if (!Files.readString(jar).equals(content(name))) {
                throw new AssertionError(jar + ": has other bytes than those that were submitted");
            }
            return name;
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    private static String content(String name) {
        return name.repeat(6_000);
    }

    /** Submits a jar of its own name and content for the driver {@code number}. */
    void submit(String request, int number) {
        SimulatedProcess submitter = simulation.process("submitter-" + request);
        String name = "app " + number + ".jar";
        try {
            Path jar = Files.writeString(
                    Files.createDirectories(directory.resolve("own-" + request)).resolve(name), content(name));
            SubmissionPlan plan = SubmissionPlan.builder("d", "x.D")
                    .add(Kind.APPLICATION_JAR, jar.toString())
                    .build();
            Services services = new Services(submitter.env(), submitter.loop("submitter"), directory.resolve("cache"));
            statuses.remove(request);
            submitter
                    .loop("submitter")
                    .execute(() -> new StandaloneSubmitter(MasterUrl.parse("hearth://" + MASTER), services)
                            .submit(plan, request, new Watch(request)));
            if (simulation.random().nextInt(4) == 0) {
                simulation.schedule(Duration.ofMillis(simulation.random().nextInt(40)), () -> {
                    submitter.crash();
                    statuses.remove(request);
                });
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Lets submitters come, and parts of the cluster end and return, for a while; then lets the cluster settle. */
    void storm(int submissions) {
        for (int i = 0; i < submissions; i++) {
            int number = i / 2; // two submitters have the same jar
            String request = "request-" + i;
            after(upTo(FAULT_MILLIS_MAX), () -> submit(request, number));
        }
        for (int i = 0; i < 2; i++) {
            after(upTo(FAULT_MILLIS_MAX), this::crashMaster);
            after(upTo(FAULT_MILLIS_MAX), this::crashWorker);
        }
        simulation.runFor(Duration.ofMinutes(2));
    }

    /** Sends the content that a jar of the name {@code name} would have through {@code process}, which passes it on. */
    RelayedUpload relay(String name, String process) {
        return new RelayedUpload(
                simulation,
                process,
                MasterUrl.parse("hearth://" + MASTER),
                serve -> new Services(serve.env(), serve.loop("serve"), directory.resolve("cache")),
                content(name).getBytes(StandardCharsets.US_ASCII));
    }

    /** Lets the master and the process of {@code relayed} end and return a few times. */
    void stormOver(RelayedUpload relayed) {
        for (int each = 0; each < 3; each++) { // the whole upload takes about 20 ms without faults
            after(upTo(20), () -> relayed.crash(Duration.ofMillis(upTo(1_000))));
            after(each * 1_000 + upTo(20), this::crashMaster);
        }
        simulation.runFor(Duration.ofMinutes(3));
    }

    void run(Duration time) {
        simulation.runFor(time);
    }

    private void crashMaster() {
        if (master.alive()) {
            master.crash();
            atMaster.close(); // the operating system releases its lock
            after(upTo(3_000), () -> {
                master = master.restart();
                startMaster();
            });
        }
    }

    private void crashWorker() {
        if (worker.alive()) {
            worker.crash();
            atWorker.close();
            after(upTo(3_000), () -> {
                worker = worker.restart();
                startWorker();
            });
        }
    }

    private int upTo(int most) {
        return simulation.random().nextInt(most);
    }

    private void after(int millis, Runnable action) {
        simulation.schedule(Duration.ofMillis(millis), action);
    }

    /** Last status that each submitter that lives has received, by its request. */
    Map<String, SubmissionStatus> statuses() {
        return statuses;
    }

    /** Names of the jars of all drivers, in the order of their starts. */
    List<String> started() {
        return started;
    }

    boolean isWithinBounds() {
        return atMaster.bytesHeld() <= BYTES_MAX && atWorker.bytesHeld() <= BYTES_MAX;
    }

    /** Files that the stores of master and worker have on the disk, without their locks. */
    /** Files that the worker has placed for drivers. */
    List<Path> placed() {
        try (Stream<Path> all = Files.walk(directory.resolve("work"))) {
            return all.filter(
                            file -> Files.isRegularFile(file) && file.toString().contains("/hearth-contents/"))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    List<Path> files(String of) {
        try (Stream<Path> all = Files.walk(directory.resolve(of).resolve("contents-0"))) {
            return all.filter(file -> Files.isRegularFile(file)
                            && !file.getFileName().toString().equals("lock"))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private final class Watch implements SubmissionListener {
        private final String request;

        Watch(String request) {
            this.request = request;
        }

        @Override
        public void changed(SubmissionStatus status) {
            statuses.put(request, status);
        }

        @Override
        public void lost(String reason) {
            statuses.remove(request); // the fate of the driver is unknown
        }
    }

    /** Services of a submitter that may send its files. */
    private record Services(RpcEnv rpc, EventLoop loop, Path cache) implements SubmissionServices {
        @Override
        public Settings settings() {
            return Settings.empty();
        }

        @Override
        public Executor blocking() {
            return loop;
        }

        @Override
        public Path home() {
            return cache;
        }

        @Override
        public Map<String, String> environment() {
            return Map.of("XDG_CACHE_HOME", cache.toString());
        }

        @Override
        public boolean sendsFiles() {
            return true;
        }
    }
}
