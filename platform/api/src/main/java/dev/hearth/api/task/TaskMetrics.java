package dev.hearth.api.task;

import java.io.Serializable;

/**
 * What one attempt took, or the sum of several. Times in nanoseconds, sizes in bytes; what was not measured is 0.
 * <p>{@code runNanos} is the time in the task's own code and its input; the other times come beside it. {@code inputBytes} were
 * read of files and kept blocks, {@code outputBytes} lie in the files that were written; records count those of shuffles as well.
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

    /** Of an attempt that neither read nor wrote files. */
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
                Math.max(peakMemoryBytes, other.peakMemoryBytes),
                inputBytes + other.inputBytes,
                outputBytes + other.outputBytes);
    }
}
