package dev.hearth.engine.internal.executor;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Clocks for task metrics, with a hook that lets simulations wait in virtual time. A reading has a meaning only in
 * comparison with another one. Any thread may call.
 */
public interface TaskClocks {
    long nanos();

    /** Returns the CPU time that the calling thread has used since its start, in nanoseconds; 0 if it is unknown. */
    long cpuNanos();

    /** Returns the time that this process has spent in garbage collection. */
    long collectionNanos();

    /**
     * Called before a task waits for {@code answer}. In a simulation, runs all other work until the answer has arrived;
     * otherwise does nothing.
     */
    default void waiting(CompletableFuture<?> answer) {}

    /** Returns the clocks of this machine, which simulations replace by their own. */
    static TaskClocks system() {
        return new SystemClocks();
    }

    /** Clocks of this machine, read from the JVM. Immutable. */
    final class SystemClocks implements TaskClocks {
        private static final long NANOS_PER_MILLI = 1_000_000;

        private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        private final boolean cpuKnown = threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled();
        private final List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();

        private SystemClocks() {}

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public long cpuNanos() {
            return cpuKnown ? threads.getCurrentThreadCpuTime() : 0;
        }

        @Override
        public long collectionNanos() {
            long millis = 0;
            for (GarbageCollectorMXBean collector : collectors) {
                millis += Math.max(0, collector.getCollectionTime());
            }
            return millis * NANOS_PER_MILLI;
        }
    }
}
