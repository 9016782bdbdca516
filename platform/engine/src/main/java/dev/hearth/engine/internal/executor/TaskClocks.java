package dev.hearth.engine.internal.executor;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;

/** The clocks that task metrics are taken by. Only differences mean something. Any thread may call. */
public interface TaskClocks {
    long nanos();

    /** The time that the calling thread has used a core; 0 where it is not known. */
    long cpuNanos();

    /** The time that the process has spent on collecting garbage. */
    long collectionNanos();

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
