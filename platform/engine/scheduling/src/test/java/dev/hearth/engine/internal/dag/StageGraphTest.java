package dev.hearth.engine.internal.dag;

import static dev.hearth.engine.internal.dag.DagFixture.job;
import static dev.hearth.engine.internal.dag.DagFixture.map;
import static dev.hearth.engine.internal.dag.DagFixture.result;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Stages of several jobs: shared, linked and removed. */
class StageGraphTest {
    private final DagEffects effects = new DagEffects();
    private final StageGraph graph = new StageGraph(new MapOutputTracker(false), effects);

    private List<Stage> add(JobSpec job) {
        return graph.add(job, new JobResults(job.plan().partitions()));
    }

    @Test
    void linksEachStageToItsParentsAndReadersUntilItIsRemoved() {
        List<Stage> first = add(job(0, map(1, 1), result(1, 1)));
        List<Stage> second = add(job(1, map(1, 1), result(1, 1)));
        Stage shared = first.get(0);
        assertSame(shared, second.get(0));
        assertSame(shared, graph.ofShuffle(1));
        assertEquals(Set.of(first.get(1), second.get(1)), shared.readers());
        assertEquals(List.of(shared), second.get(1).parents());
        graph.remove(first.get(1));
        assertEquals(Set.of(second.get(1)), shared.readers(), "a removed stage must not stay in memory");
        assertNull(graph.find(first.get(1).id()));
        graph.remove(second.get(1));
        graph.remove(shared);
        assertNull(graph.ofShuffle(1));
        assertNull(graph.find(shared.id()));
    }
}
