package dev.hearth.hadoop;

import java.util.function.ToLongFunction;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileSystem.Statistics.StatisticsData;

/** Bytes that the current thread has read from Hadoop's file systems, and written to them, since this object was made. */
final class FileBytes {
    private final long readBefore = sum(StatisticsData::getBytesRead);
    private final long writtenBefore = sum(StatisticsData::getBytesWritten);

    long read() {
        return Math.max(0, sum(StatisticsData::getBytesRead) - readBefore);
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
