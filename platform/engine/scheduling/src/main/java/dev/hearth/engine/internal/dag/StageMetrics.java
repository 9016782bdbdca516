package dev.hearth.engine.internal.dag;

import dev.hearth.api.task.TaskMetrics;

/**
 * Sum of the task metrics of a stage attempt. The sums are plain fields, so no metrics object of any task is retained.
 * Owned by the attempt.
 */
final class StageMetrics {
    private long run;
    private long cpu;
    private long deserialize;
    private long serializeResult;
    private long collection;
    private long resultBytes;
    private long recordsRead;
    private long recordsWritten;
    private long shuffleReadBytes;
    private long shuffleReadRecords;
    private long shuffleWriteBytes;
    private long shuffleWriteRecords;
    private long memorySpilled;
    private long diskSpilled;
    private long peakMemory;
    private long inputBytes;
    private long outputBytes;

    void add(TaskMetrics metrics) {
        run += metrics.runNanos();
        cpu += metrics.cpuNanos();
        deserialize += metrics.deserializeNanos();
        serializeResult += metrics.serializeResultNanos();
        collection += metrics.collectionNanos();
        resultBytes += metrics.resultBytes();
        recordsRead += metrics.recordsRead();
        recordsWritten += metrics.recordsWritten();
        shuffleReadBytes += metrics.shuffleReadBytes();
        shuffleReadRecords += metrics.shuffleReadRecords();
        shuffleWriteBytes += metrics.shuffleWriteBytes();
        shuffleWriteRecords += metrics.shuffleWriteRecords();
        memorySpilled += metrics.memorySpilledBytes();
        diskSpilled += metrics.diskSpilledBytes();
        peakMemory = Math.max(peakMemory, metrics.peakMemoryBytes());
        inputBytes += metrics.inputBytes();
        outputBytes += metrics.outputBytes();
    }

    TaskMetrics total() {
        return new TaskMetrics(
                run,
                cpu,
                deserialize,
                serializeResult,
                collection,
                resultBytes,
                recordsRead,
                recordsWritten,
                shuffleReadBytes,
                shuffleReadRecords,
                shuffleWriteBytes,
                shuffleWriteRecords,
                memorySpilled,
                diskSpilled,
                peakMemory,
                inputBytes,
                outputBytes);
    }
}
