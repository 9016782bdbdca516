package dev.hearth.spi.monitor;

import dev.hearth.api.task.TaskMetrics;
import java.util.function.ToLongFunction;

/** Name of one component of {@link TaskMetrics}; the constants have the order of the components. */
@SuppressWarnings("ImmutableEnumChecker") // its method references capture no values
public enum TaskMetric {
    RUN_NANOS(TaskMetrics::runNanos),
    CPU_NANOS(TaskMetrics::cpuNanos),
    DESERIALIZE_NANOS(TaskMetrics::deserializeNanos),
    SERIALIZE_RESULT_NANOS(TaskMetrics::serializeResultNanos),
    COLLECTION_NANOS(TaskMetrics::collectionNanos),
    RESULT_BYTES(TaskMetrics::resultBytes),
    RECORDS_READ(TaskMetrics::recordsRead),
    RECORDS_WRITTEN(TaskMetrics::recordsWritten),
    SHUFFLE_READ_BYTES(TaskMetrics::shuffleReadBytes),
    SHUFFLE_READ_RECORDS(TaskMetrics::shuffleReadRecords),
    SHUFFLE_WRITE_BYTES(TaskMetrics::shuffleWriteBytes),
    SHUFFLE_WRITE_RECORDS(TaskMetrics::shuffleWriteRecords),
    MEMORY_SPILLED_BYTES(TaskMetrics::memorySpilledBytes),
    DISK_SPILLED_BYTES(TaskMetrics::diskSpilledBytes),
    PEAK_MEMORY_BYTES(TaskMetrics::peakMemoryBytes),
    INPUT_BYTES(TaskMetrics::inputBytes),
    OUTPUT_BYTES(TaskMetrics::outputBytes);

    private final ToLongFunction<TaskMetrics> value;

    TaskMetric(ToLongFunction<TaskMetrics> value) {
        this.value = value;
    }

    public long of(TaskMetrics metrics) {
        return value.applyAsLong(metrics);
    }
}
