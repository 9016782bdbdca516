package dev.hearth.kernel.internal.process;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.process.ChildProcess;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.OutputChunk;
import dev.hearth.spi.process.OutputRange;
import dev.hearth.spi.process.Prestart;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.process.RetainedWork;
import dev.hearth.spi.role.LaunchOrders;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts child processes from this installation, with the Java runtime of this process. Ensures that no child outlives
 * this process.
 * <p>Guarded by its own lock, which no thread holds while it waits for a disk. {@link #close} ends the children, and no
 * further child can be started.
 */
public final class ChildProcesses implements ProcessLauncher {
    /**
     * Let Java map an archive of classes to the addresses for which it was written. Elsewhere, Java copies all of its pages
     * into the process. Known up to this version of Java.
     */
    private static final List<String> PLACED = List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0");

    private static final int PLACED_ARCHIVES_MAX = 25;
    private static final Logger LOG = LoggerFactory.getLogger(ChildProcesses.class);
    /**
     * First Java version that warns of the use of Unsafe by the OSGi framework, and has an option that disables the
     * warning.
     */
    private static final int UNSAFE_WARNS_SINCE = 24;

    /** Environment variable with the path of the class data archive for the jars in lib/. The start script sets it. */
    public static final String CLASS_ARCHIVE = "HEARTH_CDS_ARCHIVE";

    /**
     * System property of a process that was started before it was needed. It waits for orders as long as its parent
     * lives. The value is the scheme of the masters of the cluster.
     */
    public static final String PRESTARTED = "hearth.prestarted";

    /** Role whose standard output is the result of an application. */
    private static final String DRIVER = "driver";

    /** Time for processes that a child has forked to end when the child has ended; then they are killed. */
    private static final Duration LEFTOVERS_GRACE = Duration.ofSeconds(2);
    /** The same when this process ends too. */
    private static final Duration LEFTOVERS_LAST_GRACE = Duration.ofMillis(500);

    /** Program that starts another program, as the same process, in a Unix session of its own. */
    private static final String SETSID = "setsid";

    private final Path home;
    private final Function<String, List<String>> jvmOptions;
    private volatile Optional<ClassArchive> archive;
    private final Map<String, String> ownEnvironment;
    private volatile ChildEnvironment environment;
    private final Map<String, UserSwitch> users = new ConcurrentHashMap<>();
    private final Set<RunningChild> running = new LinkedHashSet<>();
    private final WorkDirectories directories = new WorkDirectories();
    private final OutputReader outputs = new OutputReader();
    private final ExecutorService disk = Executors.newCachedThreadPool(ChildProcesses::diskThread);
    private final List<Path> readAtStart;
    private volatile Optional<PrestartedProcesses> prestarted = Optional.empty();
    private boolean closed;

    /**
     * {@code jvmOptions} returns the JVM options of a role. It fails if the role is unknown. {@code ownEnvironment} is
     * the environment of this process.
     */
    public ChildProcesses(Path home, Function<String, List<String>> jvmOptions, Map<String, String> ownEnvironment) {
        archive = ClassArchive.at(ownEnvironment.get(CLASS_ARCHIVE));
        this.home = home;
        this.jvmOptions = jvmOptions;
        this.ownEnvironment = ownEnvironment;
        environment = new ChildEnvironment(ownEnvironment, Settings.empty());
        readAtStart = List.of(
                home.resolve("lib"),
                home.resolve("bundles"),
                home.resolve("roles"),
                Path.of(ownEnvironment.getOrDefault(
                        "HEARTH_CONF_DIR", home.resolve("conf").toString())));
    }

    /** Sets the settings of this process; children do not inherit what secret ones were read from. */
    public void withhold(Settings settings) {
        environment = new ChildEnvironment(ownEnvironment, settings);
    }

    @Override
    public void requireUser(String user, Path directory) {
        user(user).requireAccess(home.resolve("lib")).requireAccess(directory);
    }

    private UserSwitch user(String name) {
        return users.computeIfAbsent(name, UserSwitch::to);
    }

    @Override
    public synchronized void prestart(Prestart rule) {
        PrestartedProcesses opened =
                new PrestartedProcesses(rule, ownEnvironment, Ticker.system(), PrestartedProcesses.Delay.on(disk));
        opened.sweep();
        prestarted = Optional.of(opened);
    }

    @Override
    public ChildProcess start(ChildSpec spec) {
        ProcessStart start = startOf(spec);
        requireOpen(spec);
        RunningChild child;
        try {
            directories.enter(spec);
            child = launch(spec, start);
        } catch (IOException e) {
            directories.leave(spec);
            throw ErrorCode.START_FAILED.failure(
                    spec.role() + " process in " + spec.directory() + ": " + e.getMessage()
                            + " (expected: the operating system starts it)",
                    e);
        } catch (RuntimeException e) {
            directories.leave(spec);
            throw e;
        }
        try {
            add(child, spec);
        } catch (HearthException closedMeanwhile) {
            child.kill();
            throw closedMeanwhile;
        }
        child.exit().whenComplete((status, failure) -> endLeftovers(child, spec));
        if (spec.attempt() > 0) {
            disk.execute(() -> directories.removeAttempts(spec));
        }
        order(child, LaunchOrders.of(spec.orders()).text());
        LOG.debug("{}: started in {}", child, spec.directory());
        return child;
    }

    private synchronized void add(RunningChild child, ChildSpec spec) {
        requireOpen(spec);
        running.add(child);
    }

    private synchronized void requireOpen(ChildSpec spec) {
        if (closed) {
            throw ErrorCode.START_FAILED.failure(spec.role()
                    + " process: not started, because this process is ending (expected: a start before that)");
        }
    }

    private ProcessStart startOf(ChildSpec spec) {
        Optional<UserSwitch> user = spec.user().map(this::user);
        Optional<Path> setsid = UserSwitch.program(SETSID);
        Map<String, String> inherited = environment.of(spec);
        Map<String, String> given = ChildEnvironment.given(spec, inherited);
        List<String> command = new ArrayList<>();
        user.ifPresent(other -> command.addAll(other.prefix(given.keySet())));
        setsid.ifPresent(program -> command.add(program.toString()));
        command.addAll(command(spec));
        long installation = prestarted.isPresent() ? InstallationStamp.of(readAtStart) : 0;
        return new ProcessStart(spec.role(), command, inherited, given, user, setsid.isPresent(), installation);
    }

    /** Starts the process, or takes one that was prestarted, and starts the threads that read its output. */
    private RunningChild launch(ChildSpec spec, ProcessStart start) throws IOException {
        Path working = directories.working(spec, start.user());
        Optional<PrestartedProcess> ready = prestarted.flatMap(found -> found.childStarts(start));
        if (ready.isPresent() && !ready.get().moveTo(working.toAbsolutePath())) {
            ready.get().end();
            ready = Optional.empty();
        }
        List<RolledFile> files = new ArrayList<>();
        ProcessStart.Forked forked;
        try {
            files.add(file(spec, "stdout"));
            files.add(file(spec, "stderr"));
            LaunchHeader.requested(ownEnvironment, spec.role(), start.command()).ifPresent(files.get(1)::append);
            forked = ready.isPresent() ? ready.get().forked() : start.fork(working, ownEnvironment);
        } catch (IOException | RuntimeException failure) {
            files.forEach(RolledFile::close);
            ready.ifPresent(PrestartedProcess::end);
            throw failure;
        }
        Process process = forked.process();
        ready.ifPresent(taken -> taken.exit().thenRun(taken::forget));
        OutputPump output = new OutputPump(process.getInputStream(), files.get(0), disk);
        OutputPump errors = new OutputPump(process.getErrorStream(), files.get(1), disk);
        output.start("hearth-output-" + process.pid());
        errors.start("hearth-errors-" + process.pid());
        return new RunningChild(
                new RunningChild.Streams(process, output, errors),
                spec.role(),
                spec.role().equals(DRIVER),
                forked.leftovers());
    }

    private RolledFile file(ChildSpec spec, String name) throws IOException {
        return new RolledFile(spec.directory().resolve(name), spec.outputs(), Ticker.system(), disk);
    }

    /**
     * Writes the orders, which are the child's start parameters, on a new thread. A pipe holds 64 KiB and then blocks
     * the writer, and the caller may be an event loop.
     */
    private static void order(RunningChild child, String orders) {
        Thread writer = new Thread(() -> child.order(orders), "hearth-orders-" + child.pid());
        writer.setDaemon(true);
        writer.start();
    }

    private static Thread diskThread(Runnable action) {
        Thread thread = new Thread(null, action, "hearth-child-files", 0, false);
        thread.setDaemon(true);
        // by default the thread would inherit the class loader of the application that starts a child
        thread.setContextClassLoader(ChildProcesses.class.getClassLoader());
        return thread;
    }

    private List<String> command(ChildSpec spec) {
        List<String> options = new ArrayList<>();
        options.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
        if (Runtime.version().feature() >= UNSAFE_WARNS_SINCE) {
            options.add("--sun-misc-unsafe-memory-access=allow");
        }
        if (spec.user().isEmpty()) { // another user cannot read the archive
            archive = archive.filter(ClassArchive::isUnchanged); // once changed, none for all later children
            archive.ifPresent(checked -> {
                options.addAll(archiveOptions(checked.file().toString()));
            });
        }
        options.addAll(jvmOptions.apply(spec.role()));
        options.addAll(spec.jvmOptions());
        options.addAll(spec.options().javaOptions());
        options.add("-Dhearth.lifeline=orders");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new RoleCommand(java, home.toString(), spec.role()).with(options);
    }

    @Override
    public List<String> command(String role, List<String> ofCaller, String elsewhere) {
        List<String> options = new ArrayList<>(jvmOptions.apply(role));
        options.addAll(ofCaller);
        return new RoleCommand("java", elsewhere, role).with(options);
    }

    @Override
    public List<String> command(String role, List<String> ofCaller, String elsewhere, String classes) {
        List<String> options = new ArrayList<>(archiveOptions(classes));
        options.addAll(jvmOptions.apply(role));
        options.addAll(ofCaller);
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            // an archive holds the class path in its order; that of a pattern is the order of the directory
            String classPath = jars.map(jar -> jar.getFileName().toString())
                    .filter(name -> name.endsWith(".jar"))
                    .sorted()
                    .map(name -> elsewhere + "/lib/" + name)
                    .collect(Collectors.joining(":"));
            return new RoleCommand("java", elsewhere, role).with(options, classPath);
        } catch (IOException failure) {
            throw ErrorCode.START_FAILED.failure(
                    "installation " + home + ": " + failure + " (expected: a directory lib with jars)", failure);
        }
    }

    /** Options that make Java use an archive of classes; a stale one is ignored silently. */
    private static List<String> archiveOptions(String file) {
        List<String> options = new ArrayList<>(
                List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds*=off:stderr", "-Xlog:class+path=off:stderr"));
        if (Runtime.version().feature() <= PLACED_ARCHIVES_MAX) {
            options.addAll(PLACED);
        }
        return options;
    }

    /**
     * Ends what the child has forked, on a new thread, and then forgets the child: {@link #close} waits for it until
     * then.
     */
    private void endLeftovers(RunningChild child, ChildSpec spec) {
        Thread ending = new Thread(
                () -> {
                    child.endLeftovers(LEFTOVERS_GRACE);
                    forget(child, spec);
                },
                "hearth-leftovers-" + child.pid());
        ending.setDaemon(true);
        ending.start();
    }

    private void forget(RunningChild child, ChildSpec spec) {
        synchronized (this) {
            running.remove(child);
        }
        directories.leave(spec);
        prestarted.ifPresent(others -> others.childEnded(spec.role()));
    }

    @Override
    public CompletionStage<List<String>> removeEnded(Path parent, Instant before) {
        return removeEnded(parent, new RetainedWork(before, OptionalLong.of(Long.MAX_VALUE), before));
    }

    @Override
    public CompletionStage<List<String>> removeEnded(Path parent, RetainedWork retained) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return directories.removeEnded(parent, retained);
                    } catch (IOException e) {
                        throw new UncheckedIOException("work directory " + parent, e);
                    }
                },
                disk);
    }

    @Override
    public CompletionStage<Optional<OutputChunk>> readOutput(Path directory, OutputRange range) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return outputs.read(directory, range);
                    } catch (IOException e) {
                        throw ErrorCode.DISK_FAILED.failure(
                                range.output().file() + " in " + directory + ": " + e
                                        + " (expected: a file that can be read)",
                                e);
                    }
                },
                disk);
    }

    /**
     * Stops every child, and kills those that are still alive after {@code grace}. Returns when all children have
     * ended.
     */
    public void close(Duration grace) {
        List<RunningChild> children;
        synchronized (this) {
            closed = true;
            children = List.copyOf(running);
        }
        List<PrestartedProcess> waiting =
                prestarted.map(PrestartedProcesses::close).orElse(List.of());
        children.forEach(RunningChild::stop);
        long deadline = System.nanoTime() + grace.toNanos();
        for (RunningChild child : children) {
            try {
                if (!child.await(deadline - System.nanoTime())) {
                    LOG.warn("{}: killed, because this process ends and it has not within {}", child, grace);
                    child.killAndAwait();
                }
            } catch (InterruptedException e) {
                // the interrupt flag makes all further waits fail, so the remaining children are killed at once
                Thread.currentThread().interrupt();
                child.kill();
            }
        }
        waiting.forEach(process -> process.endBy(deadline));
        children.forEach(child -> child.endLeftovers(LEFTOVERS_LAST_GRACE));
    }
}
