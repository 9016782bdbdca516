package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.aggregate.AggregationServices;
import dev.hearth.engine.internal.disk.TemporaryFiles;
import dev.hearth.engine.internal.memory.ObjectSizeEstimator;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.serializer.RecordFormat;

/**
 * Services that aggregation uses within one attempt, such as memory, temporary files and the record format. Owned by
 * the thread of the attempt while the attempt runs.
 */
final class TaskAggregationServices implements AggregationServices {
    private final TaskAttempt attempt;

    TaskAggregationServices(TaskAttempt attempt) {
        this.attempt = attempt;
    }

    @Override
    public TaskMemory memory() {
        return attempt.memory();
    }

    @Override
    public TemporaryFiles files() {
        return attempt.services.data().files();
    }

    @Override
    public RecordFormat format() {
        return attempt.services.data().records();
    }

    @Override
    public ObjectSizeEstimator sizes() {
        return attempt.services.data().sizes();
    }

    @Override
    public boolean inOrder() {
        return attempt.pipeline().isOrderSensitive();
    }

    @Override
    public void checkKilled() {
        attempt.checkKilled();
    }

    @Override
    public String subject() {
        return "partition " + attempt.partition() + " of stage " + attempt.stage();
    }
}
