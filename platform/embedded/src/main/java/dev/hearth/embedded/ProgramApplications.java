package dev.hearth.embedded;

import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates a class loader for each application in this process: the classes of its jars, and those of the program that it
 * lacks itself. Immutable.
 */
record ProgramApplications(ClassLoader program) implements ApplicationLoaders {
    private static final Logger LOG = LoggerFactory.getLogger(ProgramApplications.class);
    /** Time in which threads that an application left may end by themselves. */
    private static final Duration ENDING = Duration.ofMillis(200);
    /** Time in which they may end after an interrupt. */
    private static final Duration INTERRUPTED = Duration.ofMillis(500);

    @Override
    public ApplicationLoader open(String application, List<Path> jars) {
        List<URL> urls = new ArrayList<>();
        for (Path jar : jars) {
            if (!Files.isReadable(jar)) {
                throw ErrorCode.PATH_MISSING.failure("jar " + jar + " of application " + application
                        + ": not readable (expected: a jar on this machine)");
            }
            try {
                urls.add(jar.toUri().toURL());
            } catch (MalformedURLException e) {
                throw ErrorCode.PATH_MISSING.failure("jar " + jar + ": " + e.getMessage(), e);
            }
        }
        return new Opened(application, new JarsFirstLoader(application, urls.toArray(new URL[0]), program), jars);
    }

    /** An application from its opening to its close. */
    private record Opened(String application, JarsFirstLoader classes, List<Path> jars) implements ApplicationLoader {
        @Override
        public void close() {
            List<Thread> left = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread != Thread.currentThread() && thread.getContextClassLoader() == classes)
                    .toList();
            List<Thread> running = alive(left, ENDING);
            if (!running.isEmpty()) {
                LOG.warn(
                        "application {}: ended while its threads {} still ran (expected: none); they are interrupted",
                        application,
                        running.stream().map(Thread::getName).sorted().toList());
                running.forEach(Thread::interrupt);
                if (!alive(running, INTERRUPTED).isEmpty()) {
                    LOG.warn(
                            "application {}: threads still run {} ms after they were interrupted (expected: they end);"
                                    + " its classes stay in memory until they do",
                            application,
                            INTERRUPTED.toMillis());
                }
            }
            try {
                classes.close();
            } catch (IOException e) {
                throw new UncheckedIOException("jars of application " + application, e);
            }
        }

        /** Waits until the threads have ended, at most {@code wait} in total. Returns those that are still alive. */
        private static List<Thread> alive(List<Thread> threads, Duration wait) {
            long end = System.nanoTime() + wait.toNanos();
            try {
                for (Thread thread : threads) {
                    long millis = Duration.ofNanos(end - System.nanoTime()).toMillis();
                    if (millis > 0) { // join(0) would wait without limit
                        thread.join(millis);
                    }
                }
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
            return threads.stream().filter(Thread::isAlive).toList();
        }
    }
}
