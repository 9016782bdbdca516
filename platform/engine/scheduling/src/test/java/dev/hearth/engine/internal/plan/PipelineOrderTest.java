package dev.hearth.engine.internal.plan;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.closure.CapturedFunction;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who can tell in which order the elements of a stage come: all but those that take each element by itself. */
class PipelineOrderTest {
    private static boolean tells(SinkKind sink, StepKind... steps) {
        return new Pipeline(
                        Pipeline.Source.of(SourceKind.REDUCED),
                        Stream.of(steps)
                                .map(kind -> new Pipeline.Step(kind, CapturedFunction.NONE))
                                .toList(),
                        Pipeline.Sink.of(sink, CapturedFunction.NONE),
                        Map.of())
                .tellsOrder();
    }

    @Test
    void whoTakesEachElementByItselfCannotTell() {
        for (SinkKind sink : List.of(SinkKind.COUNT, SinkKind.FOREACH, SinkKind.SAVE_TEXT, SinkKind.SAMPLE)) {
            assertFalse(tells(sink, StepKind.MAP, StepKind.FILTER, StepKind.FLAT_MAP_VALUES), sink.name());
        }
    }

    @Test
    void aStepThatTakesAPartitionAsAWholeCan() {
        for (StepKind step :
                List.of(StepKind.PARTITIONS, StepKind.INDEXED_PARTITIONS, StepKind.KEEP, StepKind.GROUP_KEYS)) {
            assertTrue(tells(SinkKind.COUNT, StepKind.MAP, step, StepKind.MAP), step.name());
        }
    }

    @Test
    void readersOfAShuffleCanAndSoCanResults() {
        for (SinkKind sink : List.of(SinkKind.SHUFFLE, SinkKind.SHUFFLE_REDUCED, SinkKind.COLLECT, SinkKind.TAKE)) {
            assertTrue(tells(sink), sink.name());
        }
    }

    @Test
    void partsOfOneTaskAreReadBesideEachOther() {
        Pipeline.Branch branch = new Pipeline.Branch(Pipeline.Source.of(SourceKind.REDUCED), List.of());
        Pipeline both = new Pipeline(
                Pipeline.Source.of(SourceKind.ZIPPED),
                List.of(),
                Pipeline.Sink.of(SinkKind.COUNT, CapturedFunction.NONE),
                Map.of(),
                List.of(branch, branch));
        assertTrue(both.tellsOrder());
    }
}
