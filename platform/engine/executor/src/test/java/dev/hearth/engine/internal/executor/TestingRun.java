package dev.hearth.engine.internal.executor;

import dev.hearth.api.function.MapFunction;
import dev.hearth.engine.internal.dataset.ParallelizedElements;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.engine.internal.plan.TaskFailure;

/** Runs one task for tests of other packages. */
public final class TestingRun {
    private TestingRun() {}

    /** The failure of a task that maps the number 1. */
    public static TaskFailure failure(MapFunction<Integer, ?> function) throws InterruptedException {
        try (TestingTasks tasks = new TestingTasks(1)) {
            return tasks.run(TestingTasks.plan(
                            TestingTasks.pipeline(new Sink.Collect(), tasks.step(Step.Map::new, function)),
                            ParallelizedElements.cut(new Object[] {1}, 1, tasks.objects),
                            1))
                    .get(0)
                    .failure();
        }
    }
}
