package dev.hearth.api.task;

import java.io.Serializable;

/**
 * The metrics of a task attempt, or the sum of several. Times are in nanoseconds, sizes in bytes; a metric that was not
 * measured is 0. Immutable.
 * <p>{@code runNanos} is the time of the task's code and its input, and excludes the other times. {@code inputBytes}
 * counts reads of files and cached blocks, {@code outputBytes} counts writes of files. Record counts include records of
 * shuffles.
 */
public record TaskMetrics(
        long runNanos,
        long cpuNanos,
        long deserializeNanos,
        long serializeResultNanos,
        long collectionNanos,
        long resultBytes,
        long recordsRead,
        long recordsWritten,
        long shuffleReadBytes,
        long shuffleReadRecords,
        long shuffleWriteBytes,
        long shuffleWriteRecords,
        long memorySpilledBytes,
        long diskSpilledBytes,
        long peakMemoryBytes,
        long inputBytes,
        long outputBytes)
        implements Serializable {
    public static final TaskMetrics NONE = new TaskMetrics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /**
     * The metrics of an attempt that neither read nor wrote files: {@code inputBytes} and {@code outputBytes} are 0.
     */
    public TaskMetrics(
            long runNanos,
            long cpuNanos,
            long deserializeNanos,
            long serializeResultNanos,
            long collectionNanos,
            long resultBytes,
            long recordsRead,
            long recordsWritten,
            long shuffleReadBytes,
            long shuffleReadRecords,
            long shuffleWriteBytes,
            long shuffleWriteRecords,
            long memorySpilledBytes,
            long diskSpilledBytes,
            long peakMemoryBytes) {
        this(
                runNanos,
                cpuNanos,
                deserializeNanos,
                serializeResultNanos,
                collectionNanos,
                resultBytes,
                recordsRead,
                recordsWritten,
                shuffleReadBytes,
                shuffleReadRecords,
                shuffleWriteBytes,
                shuffleWriteRecords,
                memorySpilledBytes,
                diskSpilledBytes,
                peakMemoryBytes,
                0,
                0);
    }

    /** The sum of both metrics, except for {@code peakMemoryBytes}, which is the maximum of both. */
    public TaskMetrics plus(TaskMetrics other) {
        return new TaskMetrics(
                runNanos + other.runNanos,
                cpuNanos + other.cpuNanos,
                deserializeNanos + other.deserializeNanos,
                serializeResultNanos + other.serializeResultNanos,
                collectionNanos + other.collectionNanos,
                resultBytes + other.resultBytes,
                recordsRead + other.recordsRead,
                recordsWritten + other.recordsWritten,
                shuffleReadBytes + other.shuffleReadBytes,
                shuffleReadRecords + other.shuffleReadRecords,
                shuffleWriteBytes + other.shuffleWriteBytes,
                shuffleWriteRecords + other.shuffleWriteRecords,
                memorySpilledBytes + other.memorySpilledBytes,
                diskSpilledBytes + other.diskSpilledBytes,
                Math.max(peakMemoryBytes, other.peakMemoryBytes),
                inputBytes + other.inputBytes,
                outputBytes + other.outputBytes);
    }
}
