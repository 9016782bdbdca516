package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.aggregate.Workbench;
import dev.hearth.engine.internal.disk.SegmentFiles;
import dev.hearth.engine.internal.memory.ObjectSizes;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.record.RecordFormat;

/** What one attempt aggregates with. Owned by the attempt's thread, and used while that runs. */
final class TaskBench implements Workbench {
    private final TaskAttempt attempt;

    TaskBench(TaskAttempt attempt) {
        this.attempt = attempt;
    }

    @Override
    public TaskMemory memory() {
        return attempt.memory();
    }

    @Override
    public SegmentFiles files() {
        return attempt.services.data().files();
    }

    @Override
    public RecordFormat format() {
        return attempt.services.data().records();
    }

    @Override
    public ObjectSizes sizes() {
        return attempt.services.data().sizes();
    }

    @Override
    public boolean inOrder() {
        return attempt.pipeline().tellsOrder();
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
