package dev.hearth.engine.internal.plan;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.closure.CapturedFunction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Stages are order sensitive unless each step and the sink take each element by itself. */
class PipelineOrderTest {
    private static final int SHUFFLE = 3;
    private static final Step MAP = new Step.Map(CapturedFunction.NONE);
    private static final Source REDUCED =
            new ShuffleSource.Aggregated(SHUFFLE, new KeyAggregation.Reduce(CapturedFunction.NONE));

    private static boolean isOrderSensitive(Sink sink, Step... steps) {
        return new Pipeline(REDUCED, List.of(steps), sink, Map.of()).isOrderSensitive();
    }

    private static Sink write(Optional<KeyAggregation> mapSide) {
        return new Sink.ShuffleWrite(SHUFFLE, 1, CapturedFunction.NONE, mapSide);
    }

    @Test
    void stepsAndSinksThatTakeEachElementByItselfAreNotOrderSensitive() {
        List<Sink> sinks = List.of(
                new Sink.Count(),
                new Sink.Foreach(CapturedFunction.NONE),
                new Sink.SaveText(new FileOutput("", "", "")),
                new Sink.SampleKeys(1));
        for (Sink sink : sinks) {
            assertFalse(
                    isOrderSensitive(
                            sink,
                            MAP,
                            new Step.Filter(CapturedFunction.NONE),
                            new Step.FlatMapValues(CapturedFunction.NONE)),
                    sink.label());
        }
    }

    @Test
    void stepsThatTakeAWholePartitionAre() {
        List<Step> steps = List.of(
                new Step.MapPartitions(CapturedFunction.NONE),
                new Step.MapPartitionsWithIndex(CapturedFunction.NONE),
                new Step.Persist(1, StorageLevel.MEMORY_ONLY),
                new Step.AggregateByKey(new KeyAggregation.Group()));
        for (Step step : steps) {
            assertTrue(isOrderSensitive(new Sink.Count(), MAP, step, MAP), step.label());
        }
    }

    @Test
    void mapOutputsAndResultsAre() {
        List<Sink> sinks = List.of(
                write(Optional.empty()),
                write(Optional.of(new KeyAggregation.Reduce(CapturedFunction.NONE))),
                new Sink.Collect(),
                new Sink.Take(1));
        for (Sink sink : sinks) {
            assertTrue(isOrderSensitive(sink), sink.label());
        }
    }

    @Test
    void partitionsThatOneTaskReadsSideBySideAre() {
        Pipeline.Branch branch = new Pipeline.Branch(REDUCED, List.of());
        NarrowDependencies both = new NarrowDependencies(NarrowDependencyKind.ONE_TO_ONE, List.of(0, 1), List.of());
        Pipeline zipped = new Pipeline(
                new BranchSource.Zipped(both, CapturedFunction.NONE),
                List.of(),
                new Sink.Count(),
                Map.of(),
                List.of(branch, branch));
        assertTrue(zipped.isOrderSensitive());
    }
}
