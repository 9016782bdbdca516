package dev.hearth.embedded;

import dev.hearth.spi.error.ErrorCode;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * Runs applications of local masters in this process, several at a time, each with a class loader and threads of its own.
 * <p>{@code InProcessLauncher} of hearth-launcher finds {@link #start} by name. The signature therefore has types of the
 * JDK alone. If the process ends, open applications are stopped. Thread-safe.
 */
public final class EmbeddedApplications {
    private static final Set<EmbeddedApplication> OPEN = Collections.newSetFromMap(new WeakHashMap<>()); // and its lock
    private static final AtomicInteger STARTED = new AtomicInteger();

    static {
        LoggingBinding.bind(); // must come before any class with a logger is loaded
        Thread hook = new Thread(null, EmbeddedApplications::stopAll, "hearth-applications-ending", 0, false);
        hook.setContextClassLoader(EmbeddedApplications.class.getClassLoader());
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private EmbeddedApplications() {}

    /**
     * Starts the application of a command line as {@code bin/submit} takes it, and returns what ends it. A thread of its
     * own calls {@code report} with a word and a value: {@code state} with the name of a state, {@code application} with
     * the id, {@code error} with the exception that ended the application, {@code end} with an error code and a message
     * that a tab separates, and last {@code exit} with the exit status that the same process would have.
     */
    public static Runnable start(List<String> words, BiConsumer<String, Object> report) {
        TimeoutThread.FIRST.join();
        EmbeddedApplication application =
                new EmbeddedApplication(List.copyOf(words), report, ProgramClasses.ofThread());
        synchronized (OPEN) {
            OPEN.add(application);
        }
        Thread runner = new Thread(application::run, "hearth-application-" + STARTED.incrementAndGet());
        runner.setContextClassLoader(EmbeddedApplications.class.getClassLoader());
        runner.setDaemon(true);
        runner.start();
        return application::stop;
    }

    private static void stopAll() {
        List<EmbeddedApplication> open;
        synchronized (OPEN) {
            open = List.copyOf(OPEN);
        }
        open.forEach(EmbeddedApplication::stop);
        open.forEach(EmbeddedApplication::awaitEnd);
    }

    /** The failure of a request that runs no application. */
    static RuntimeException notHere(String what) {
        return ErrorCode.BAD_ARGUMENT.failure(
                what + ": in this process (expected: an application to run); use bin/submit for other requests");
    }

    /**
     * Starts the thread that the JDK shares for all time-outs. It keeps the context class loader of its first user, which
     * must not be an application.
     */
    private static final class TimeoutThread {
        static final CompletableFuture<Void> FIRST = CompletableFuture.runAsync(
                () -> {}, CompletableFuture.delayedExecutor(0, TimeUnit.NANOSECONDS, Runnable::run));
    }
}
