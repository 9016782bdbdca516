package dev.hearth.engine.internal.executor;

import dev.hearth.spi.monitor.ThreadView;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Stack traces of all threads of this process. Stateless. */
public final class ThreadDump {
    private static final int THREADS_MAX = 2_000;
    private static final int FRAMES_MAX = 256;

    private ThreadDump() {}

    /** Returns the threads by id, at most 2,000 threads with at most 256 frames each. */
    public static List<ThreadView> take() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        boolean monitors = threads.isObjectMonitorUsageSupported();
        boolean synchronizers = threads.isSynchronizerUsageSupported();
        return Arrays.stream(threads.dumpAllThreads(monitors, synchronizers, FRAMES_MAX))
                .sorted(Comparator.comparingLong(ThreadInfo::getThreadId))
                .limit(THREADS_MAX)
                .map(ThreadDump::view)
                .toList();
    }

    private static ThreadView view(ThreadInfo thread) {
        LockInfo lock = thread.getLockInfo();
        String holder = thread.getLockOwnerName();
        long holderId = thread.getLockOwnerId();
        return new ThreadView(
                thread.getThreadId(),
                thread.getThreadName(),
                thread.getThreadState().name(),
                thread.isDaemon(),
                thread.getPriority(),
                thread.isInNative(),
                Arrays.stream(thread.getStackTrace())
                        .map(StackTraceElement::toString)
                        .toList(),
                lock == null ? "" : lock.toString(),
                holderId < 0 ? OptionalLong.empty() : OptionalLong.of(holderId),
                holder == null ? "" : holder,
                Stream.concat(Arrays.stream(thread.getLockedMonitors()), Arrays.stream(thread.getLockedSynchronizers()))
                        .map(LockInfo::toString)
                        .toList());
    }
}
