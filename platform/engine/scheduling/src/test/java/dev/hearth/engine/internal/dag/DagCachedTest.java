package dev.hearth.engine.internal.dag;

import static dev.hearth.engine.internal.dag.DagFixture.job;
import static dev.hearth.engine.internal.dag.DagFixture.map;
import static dev.hearth.engine.internal.dag.DagFixture.result;
import static dev.hearth.engine.internal.dag.DagFixture.set;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.engine.internal.plan.StagePlan;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Stages whose partitions were all cached when they were planned. */
class DagCachedTest {
    private final DagFixture dag = new DagFixture();

    private static StagePlan covered(StagePlan plan) {
        return new StagePlan(
                plan.shuffle(),
                plan.pipeline(),
                plan.inputs(),
                plan.partitions(),
                plan.parents(),
                plan.placement(),
                plan.barrier(),
                plan.name(),
                plan.details(),
                plan.datasets(),
                true,
                plan.profile());
    }

    @Test
    void startsWithoutItsParents() {
        dag.submit(job(0, map(1, 3), map(2, 3, 1), covered(result(2, 2))));
        assertEquals(List.of(set(2, 0)), dag.submitted());
        dag.succeedAll(set(2, 0), "a1");
        assertEquals(List.of(0), dag.completed);
        assertEquals(List.of(), dag.submitted(), "the stages before never ran");
    }

    @Test
    void startsInTheMiddleOfTheLineage() {
        dag.submit(job(0, map(1, 3), covered(map(2, 1, 1)), result(2, 2)));
        assertEquals(List.of(set(1, 0)), dag.submitted());
        dag.succeedAll(set(1, 0), "a1");
        assertEquals(List.of(set(2, 0)), dag.submitted());
        dag.succeedAll(set(2, 0), "a1");
        assertEquals(List.of(0), dag.completed);
    }

    @Test
    void runsTheParentsOnceACachedPartitionIsMissing() {
        dag.submit(job(0, map(1, 2), map(2, 1, 1), covered(result(2, 2))));
        dag.submitted();
        dag.succeed(set(2, 0), 0, "a1");
        dag.fetchFailed(set(2, 0), 2, -1, "b1");
        dag.wake();
        assertEquals(List.of(set(0, 0)), dag.submitted());
        dag.succeedAll(set(0, 0), "a1");
        assertEquals(List.of(set(1, 0)), dag.submitted());
        dag.succeedAll(set(1, 0), "a1");
        assertEquals(List.of(set(2, 1)), dag.submitted());
        assertEquals(List.of(1), dag.partitions(set(2, 1)), "the cached one is done");
        dag.succeedAll(set(2, 1), "a1");
        assertEquals(List.of(0), dag.completed);
    }

    @Test
    void recomputesNothingThatItDoesNotRead() {
        dag.submit(job(0, map(1, 2), result(1, 1)));
        dag.succeedAll(set(0, 0), "a1");
        dag.submitted();
        dag.submit(job(1, map(1, 2), covered(result(2, 1))));
        dag.succeedAll(set(1, 0), "a1");
        assertEquals(List.of(set(2, 0)), dag.submitted());
        dag.lose("a1");
        dag.pass(StageRunner.RETRY_DELAY);
        assertEquals(List.of(), dag.submitted(), "the partition may be cached, and the task reports it if not");
        dag.succeedAll(set(2, 0), "b1");
        assertEquals(List.of(0, 1), dag.completed);
    }
}
