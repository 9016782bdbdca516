package dev.hearth.hadoop;

import java.util.function.ToLongFunction;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileSystem.Statistics.StatisticsData;

/**
 * Bytes that a task has read from Hadoop's file systems, and written to them, since this object was made. Hadoop counts
 * them by thread. A task may go on in another thread; then that one calls {@link #enter} first. Not thread-safe.
 */
final class FileBytes {
    private Thread thread = Thread.currentThread();
    private long readBefore = sum(StatisticsData::getBytesRead);
    private final long writtenBefore = sum(StatisticsData::getBytesWritten);
    private long readElsewhere;
    private long seen;

    /** Remembers what this thread has read so far, in case that another one goes on. */
    void pause() {
        seen = read();
    }

    /** Goes on in the calling thread. */
    void enter() {
        if (thread != Thread.currentThread()) {
            thread = Thread.currentThread();
            readElsewhere = seen;
            readBefore = sum(StatisticsData::getBytesRead);
        }
    }

    /** Bytes that the thread that entered last has read since, and those before the last {@link #pause}. */
    long read() {
        return thread == Thread.currentThread()
                ? readElsewhere + Math.max(0, sum(StatisticsData::getBytesRead) - readBefore)
                : seen;
    }

    long written() {
        return Math.max(0, sum(StatisticsData::getBytesWritten) - writtenBefore);
    }

    @SuppressWarnings("deprecation") // what replaced it has no numbers by thread
    private static long sum(ToLongFunction<StatisticsData> number) {
        return FileSystem.getAllStatistics().stream()
                .mapToLong(each -> number.applyAsLong(each.getThreadStatistics()))
                .sum();
    }
}
