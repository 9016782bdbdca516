package dev.hearth.kernel.internal.process;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.process.ChildProcess;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.ProcessLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts processes of this installation, with the Java of this process, and sees that none outlives it.
 * <p>Guarded by its own lock; ended by {@link #close}, after which nothing starts.
 */
public final class ChildProcesses implements ProcessLauncher {
    private static final Logger LOG = LoggerFactory.getLogger(ChildProcesses.class);
    /** The Java version that complains about the framework's use of Unsafe; it knows an option against that. */
    private static final int UNSAFE_WARNS_SINCE = 24;

    /** Where the script that started this process found an archive of the classes in lib/. */
    private static final String CLASS_ARCHIVE = "HEARTH_CDS_ARCHIVE";

    /** Standard output is the role's: what Java itself has to say goes to standard error. As in bin/hearth. */
    private static final List<String> MESSAGES_TO_ERRORS =
            List.of("-XX:+DisplayVMOutputToStderr", "-Xlog:disable", "-Xlog:all=warning:stderr");

    private static final String MAIN_CLASS = "dev.hearth.kernel.Main";

    private final Path home;
    private final Function<String, List<String>> jvmOptions;
    private final Set<RunningChild> running = new LinkedHashSet<>();
    private boolean closed;

    /** {@code jvmOptions} gives the options of a role, or refuses a role that is unknown. */
    public ChildProcesses(Path home, Function<String, List<String>> jvmOptions) {
        this.home = home;
        this.jvmOptions = jvmOptions;
    }

    @Override
    public ChildProcess start(ChildSpec spec) {
        List<String> command = command(spec);
        Path output = spec.directory().resolve("stdout");
        Path errors = spec.directory().resolve("stderr");
        RunningChild child;
        synchronized (this) {
            if (closed) {
                throw ErrorCode.START_FAILED.failure(
                        spec.role() + " process: not started, because this process is ending (expected: before that)");
            }
            try {
                Files.createDirectories(spec.directory());
                Process process = new ProcessBuilder(command)
                        .directory(spec.directory().toFile())
                        .redirectOutput(output.toFile())
                        .redirectError(errors.toFile())
                        .start();
                child = new RunningChild(spec.role(), process, output, errors);
            } catch (IOException e) {
                throw ErrorCode.START_FAILED.failure(
                        spec.role() + " process in " + spec.directory() + ": " + e.getMessage()
                                + " (expected: the machine starts it)",
                        e);
            }
            running.add(child);
        }
        child.exit().whenComplete((status, failure) -> forget(child));
        order(child, Orders.write(spec.orders()));
        LOG.debug("{}: started in {}", child, spec.directory());
        return child;
    }

    /** On a thread of its own: a pipe holds 64 KiB, and the caller may be an event loop. */
    private static void order(RunningChild child, String orders) {
        Thread writer = new Thread(() -> child.order(orders), "hearth-orders-" + child.pid());
        writer.setDaemon(true);
        writer.start();
    }

    private List<String> command(ChildSpec spec) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(MESSAGES_TO_ERRORS);
        command.add("-Dfile.encoding=UTF-8"); // what children write is read as such
        command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
        if (Runtime.version().feature() >= UNSAFE_WARNS_SINCE) {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        String archive = System.getenv(CLASS_ARCHIVE);
        if (archive != null && Files.isReadable(Path.of(archive))) {
            command.add("-XX:SharedArchiveFile=" + archive);
            // it may be out of date, which is no matter
            command.addAll(List.of("-Xlog:cds*=off:stderr", "-Xlog:class+path=off:stderr"));
        }
        command.addAll(jvmOptions.apply(spec.role()));
        command.addAll(spec.jvmOptions());
        command.add("-Dhearth.home=" + home);
        command.add("-Dhearth.lifeline=orders");
        command.add("-cp");
        command.add(home.resolve("lib") + "/*");
        command.add(MAIN_CLASS);
        command.add(spec.role());
        return command;
    }

    private synchronized void forget(RunningChild child) {
        running.remove(child);
    }

    /** Tells every child to end, kills those that have not within {@code grace}; returns when all are gone. */
    public void close(Duration grace) {
        List<RunningChild> children;
        synchronized (this) {
            closed = true;
            children = List.copyOf(running);
        }
        children.forEach(RunningChild::stop);
        long deadline = System.nanoTime() + grace.toNanos();
        for (RunningChild child : children) {
            try {
                if (!child.await(deadline - System.nanoTime())) {
                    LOG.warn("{}: killed, because this process ends and it has not within {}", child, grace);
                    child.kill();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // whoever is next is not waited for
                child.kill();
            }
        }
    }
}
