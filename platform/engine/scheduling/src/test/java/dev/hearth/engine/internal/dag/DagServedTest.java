package dev.hearth.engine.internal.dag;

import static dev.hearth.engine.internal.dag.DagFixture.job;
import static dev.hearth.engine.internal.dag.DagFixture.map;
import static dev.hearth.engine.internal.dag.DagFixture.result;
import static dev.hearth.engine.internal.dag.DagFixture.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.allocation.ExecutorData.ShuffleUse;
import dev.hearth.engine.internal.plan.FetchFailure;
import dev.hearth.engine.internal.plan.MapOutputLocation;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.shuffle.ShuffleServiceOrders;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Map outputs that shuffle services have: lost with their service, and not with the executors that wrote them. */
class DagServedTest {
    private static final ExecutorId SERVICE = ShuffleServiceOrders.holderOf("worker-a");
    private static final ExecutorId OTHER = ShuffleServiceOrders.holderOf("worker-b");

    private final DagFixture dag = new DagFixture();

    DagServedTest() {
        serve("a1", SERVICE);
        serve("a2", SERVICE);
        serve("b1", OTHER);
        dag.submit(job(0, map(1, 3), result(2, 1)));
    }

    private void serve(String executor, ExecutorId service) {
        dag.act(scheduler -> scheduler.servedBy(new ExecutorId(executor), service));
    }

    private void loseService() {
        dag.act(scheduler -> scheduler.executorLost(SERVICE, "a", OutputLoss.OF_THE_EXECUTOR, false, dag.now()));
    }

    private Optional<MapOutputLocation> place(int map) {
        Optional<?>[] found = {Optional.empty()};
        dag.act(scheduler ->
                found[0] = scheduler.mapOutputLocations(1).orElseThrow().holder(map));
        return found[0].map(MapOutputLocation.class::cast);
    }

    private ShuffleUse use(String executor) {
        ShuffleUse[] found = {ShuffleUse.NEEDED};
        dag.act(scheduler -> found[0] = scheduler.shuffles(new ExecutorId(executor)));
        return found[0];
    }

    private void mapStage() {
        dag.succeed(set(0, 0), 0, "a1");
        dag.succeed(set(0, 0), 1, "a2");
        dag.succeed(set(0, 0), 2, "b1");
        dag.drained(set(0, 0));
        dag.submitted();
    }

    @Test
    void keepsTheOutputsOfAllExecutorsThatAreKilled() {
        mapStage();
        dag.lose("a1");
        dag.lose("a2");
        dag.lose("b1");
        assertFalse(dag.waits(), "nothing is lost");
        assertEquals(List.of(), dag.submitted());
        assertEquals(Optional.of(new MapOutputLocation(SERVICE, "a")), place(0));
        dag.succeedAll(set(1, 0), "c1");
        assertEquals(List.of(0), dag.completed);
    }

    @Test
    void keepsTheOutputsOfAServiceWhoseHostIsReportedLost() {
        mapStage();
        dag.lose("a1", OutputLoss.OF_THE_HOST);
        assertFalse(dag.waits(), "the worker may have started again");
        assertEquals(Optional.of(new MapOutputLocation(SERVICE, "a")), place(0));
        loseService();
        assertEquals(Optional.empty(), place(0));
    }

    @Test
    void needsNoExecutorForItsOutputs() {
        mapStage();
        assertEquals(ShuffleUse.NONE, use("a1"));
        assertEquals(ShuffleUse.NONE, use("b1"));
    }

    @Test
    void computesTheOutputsOfALostServiceAgain() {
        mapStage();
        loseService();
        dag.fetchFailed(set(1, 0), new FetchFailure(1, 0, Optional.of(SERVICE), "a", "gone"));
        dag.wake();
        assertEquals(List.of(set(0, 1)), dag.submitted());
        assertEquals(List.of(0, 1), dag.partitions(set(0, 1)), "those of both its executors, and no other");
        assertEquals(Optional.of(new MapOutputLocation(OTHER, "b")), place(2));
    }

    @Test
    void dropsTheOutputsOfAServiceThatCannotBeReached() {
        mapStage();
        dag.fetchFailed(set(1, 0), new FetchFailure(1, 1, Optional.of(SERVICE), "a", "no connection"));
        dag.wake();
        assertEquals(List.of(0, 1), dag.partitions(set(0, 1)));
    }

    @Test
    void dropsOneOutputThatIsMissing() {
        mapStage();
        dag.fetchFailed(set(1, 0), new FetchFailure(1, 1, Optional.empty(), "", "corrupt"));
        dag.wake();
        assertEquals(List.of(1), dag.partitions(set(0, 1)));
    }

    @Test
    void doesNotRegisterALateOutputOfALostService() {
        dag.succeed(set(0, 0), 0, "a1");
        loseService();
        dag.succeed(set(0, 0), 1, "a2"); // its report was on the way
        dag.succeed(set(0, 0), 2, "b1");
        dag.drained(set(0, 0));
        assertEquals(Optional.empty(), place(1));
        assertTrue(dag.sets.containsKey(set(0, 1)), "both are computed again");
        assertEquals(List.of(0, 1), dag.partitions(set(0, 1)));
    }

    @Test
    void doesNotRegisterALateOutputOfALostExecutor() {
        dag.lose("a1");
        dag.succeed(set(0, 0), 0, "a1");
        assertEquals(Optional.empty(), place(0));
    }

    @Test
    void keepsTheFirstOfTwoOutputsOfOneMapTask() {
        mapStage();
        dag.succeed(set(0, 0), 0, "b1"); // a speculative attempt
        assertEquals(Optional.of(new MapOutputLocation(SERVICE, "a")), place(0));
    }
}
