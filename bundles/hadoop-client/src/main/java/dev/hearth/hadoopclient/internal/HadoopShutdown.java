package dev.hearth.hadoopclient.internal;

import java.io.IOException;
import java.time.Duration;
import java.util.SortedSet;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what Hadoop runs in this process, so that its classes can be collected. Each step is independent of the others: a
 * failure is logged, and the next one follows. Stateless.
 */
final class HadoopShutdown {
    private static final Logger LOG = LoggerFactory.getLogger(HadoopShutdown.class);
    /** Time in which Hadoop's threads must end; leases and connections have no work left by then. */
    private static final Duration THREADS = Duration.ofSeconds(4);
    /** Thread that renews the ticket of a ticket cache; it sleeps until that is due. */
    private static final String TICKET_RENEWER = "TGT Renewer";

    /** Thread that collects counters of dead threads; it only ends when it is interrupted. */
    static final String STATISTICS_CLEANER = "StatisticsDataReferenceCleaner";

    private HadoopShutdown() {}

    /**
     * Ends Hadoop in a process that ends as well: files are closed, and threads may run until the process has ended,
     * because its classes need not be collected.
     */
    static void runAtExit() {
        closeFiles();
    }

    private static void closeFiles() {
        for (Runnable hook : ShutdownHookManager.get().takeHooks()) {
            attempt("shutdown hook " + hook.getClass().getName(), hook::run);
        }
        attempt("file systems", FileSystem::closeAll);
    }

    /** Ends Hadoop in a process that continues, and waits for its threads. */
    static void run(ClassLoader bundle) {
        closeFiles();
        attempt("file system counters", HadoopShutdown::clearStatistics);
        attempt("thread pools", () -> {
            shutDown(DFSClient.class, "HEDGED_READ_THREAD_POOL");
            shutDown(DFSClient.class, "STRIPED_READ_THREAD_POOL");
        });
        attempt("metrics", DefaultMetricsSystem::shutdown);
        attempt("login", UserGroupInformation::reset);
        BundleThreads threads = new BundleThreads(bundle);
        threads.interrupt(STATISTICS_CLEANER);
        threads.interrupt(TICKET_RENEWER);
        SortedSet<String> left = threads.end(THREADS);
        if (!left.isEmpty()) {
            LOG.warn(
                    "Hadoop: threads {} still run {} ms after their interrupt (expected: they end); its classes stay in"
                            + " memory until they do",
                    left,
                    THREADS.toMillis() / 2);
        }
    }

    private static void clearStatistics() throws IOException {
        FileSystem.clearStatistics();
        AbstractFileSystem.clearStatistics();
    }

    private static void shutDown(Class<?> owner, String field) {
        StaticField.of(owner, field).value(ExecutorService.class).ifPresent(ExecutorService::shutdownNow);
    }

    private static void attempt(String what, Step step) {
        try {
            step.run();
        } catch (Exception | LinkageError failure) {
            LOG.warn("Hadoop: its {} do not end (expected: no failure); its classes may stay in memory", what, failure);
        }
    }

    /** Step of the end, which may fail. */
    @FunctionalInterface
    private interface Step {
        void run() throws Exception;
    }
}
