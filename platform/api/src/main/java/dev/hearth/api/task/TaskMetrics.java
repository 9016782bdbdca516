package dev.hearth.api.task;

import java.io.Serializable;

/**
 * What one attempt took, or the sum of several. Times in nanoseconds, sizes in bytes; what was not measured is 0.
 * <p>{@code runNanos} is the time in the task's own code and its input; the other times come beside it.
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
        long peakMemoryBytes)
        implements Serializable {
    public static final TaskMetrics NONE = new TaskMetrics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Both together; of the peaks the higher one. */
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
                Math.max(peakMemoryBytes, other.peakMemoryBytes));
    }
}
