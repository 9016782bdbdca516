package dev.hearth.engine.internal.executor;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Time as tasks meet it: the clocks that their metrics are taken by, and waiting. Only differences mean something. Any thread may call. */
public interface TaskClocks {
    long nanos();

    /** The time that the calling thread has used a core; 0 where it is not known. */
    long cpuNanos();

    /** The time that the process has spent on collecting garbage. */
    long collectionNanos();

    /** A task is about to wait for an answer: where time is virtual, everything else goes on until it is there. */
    default void waiting(CompletableFuture<?> answer) {}

    /** The machine's own clocks. */
    static TaskClocks system() {
        return new SystemClocks();
    }

    /** Immutable. */
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
