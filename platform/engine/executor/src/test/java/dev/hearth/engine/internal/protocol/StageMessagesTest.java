package dev.hearth.engine.internal.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.plan.BranchSource;
import dev.hearth.engine.internal.plan.FileFormat;
import dev.hearth.engine.internal.plan.FileOutput;
import dev.hearth.engine.internal.plan.JoinKind;
import dev.hearth.engine.internal.plan.KeyAggregation;
import dev.hearth.engine.internal.plan.NarrowDependencies;
import dev.hearth.engine.internal.plan.NarrowDependencyKind;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.PreferredLocations;
import dev.hearth.engine.internal.plan.ShuffleSource;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.Source;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.SinkKind;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.SourceKind;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.StageBody;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.StepKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Sources, steps and sinks keep their numbers on the wire, which installed peers know, and are read back as written.
 */
class StageMessagesTest {
    private static final int SHUFFLE = 7;
    private static final NarrowDependencies BOTH =
            new NarrowDependencies(NarrowDependencyKind.ONE_TO_ONE, List.of(0, 1), List.of());
    private static final FileOutput FILES = new FileOutput("directory", "GZIP", "job");

    private final UserObjectSerializer objects = new UserObjectSerializer(StageMessagesTest.class.getClassLoader());
    private final CapturedFunction function = CapturedFunction.of("function", objects, "function of a test");
    private final KeyAggregation reduce = new KeyAggregation.Reduce(function);
    private final KeyAggregation combine = new KeyAggregation.Combine(function);

    private StageBody travels(Source source, List<Step> steps, Sink sink) {
        Pipeline pipeline =
                new Pipeline(source, steps, sink, Map.of("key", "value"), List.of(new Pipeline.Branch(source, steps)));
        StagePlan plan = new StagePlan(
                sink instanceof Sink.ShuffleWrite write ? write.shuffle() : StagePlan.RESULT,
                pipeline,
                PartitionInputs.NONE,
                3,
                List.of(),
                PreferredLocations.ANYWHERE,
                false,
                "stage",
                "",
                List.of());
        StageBody body = StageMessages.body(plan, objects);
        StagePlan read = StageMessages.plan(body);
        assertEquals(plan.shuffle(), read.shuffle());
        assertEquals(source.getClass(), read.pipeline().source().getClass());
        assertEquals(sink.getClass(), read.pipeline().sink().getClass());
        assertEquals(body, StageMessages.body(read, objects), "read as it was written");
        return body;
    }

    @Test
    void numbersSources() {
        List<Source> byNumber = List.of(
                new Source.Elements(),
                new ShuffleSource.Aggregated(SHUFFLE, new KeyAggregation.Group()),
                new ShuffleSource.Aggregated(SHUFFLE, reduce),
                new ShuffleSource.Aggregated(SHUFFLE, combine),
                new ShuffleSource.Pairs(SHUFFLE),
                new ShuffleSource.Sorted(SHUFFLE, function, true),
                new ShuffleSource.Cogrouped(List.of(SHUFFLE, 8, 9), JoinKind.COGROUP),
                new ShuffleSource.Cogrouped(List.of(SHUFFLE, 8), JoinKind.JOIN),
                new Source.Files(FileFormat.TEXT),
                new Source.Files(FileFormat.WHOLE_TEXT),
                new Source.Files(FileFormat.BINARY),
                new Source.Files(FileFormat.OBJECTS),
                new Source.Files(FileFormat.FIXED_RECORDS),
                new Source.Files(FileFormat.CHECKPOINT),
                new Source.LocalCheckpoint(),
                new BranchSource.Union(BOTH),
                new BranchSource.Zipped(BOTH, function),
                new BranchSource.Crossed(BOTH),
                new BranchSource.Cogrouped(BOTH, JoinKind.COGROUP),
                new BranchSource.Cogrouped(BOTH, JoinKind.JOIN));
        assertEquals(
                List.of(SourceKind.values()),
                byNumber.stream()
                        .map(source -> travels(source, List.of(), new Sink.Count())
                                .source()
                                .kind())
                        .toList());
    }

    @Test
    void numbersSteps() {
        List<Step> byNumber = List.of(
                new Step.Map(function),
                new Step.Filter(function),
                new Step.FlatMap(function),
                new Step.MapPartitions(function),
                new Step.MapPartitionsWithIndex(function),
                new Step.MapValues(function),
                new Step.Persist(4, StorageLevel.DISK_ONLY),
                new Step.FlatMapValues(function),
                new Step.AggregateByKey(new KeyAggregation.Group()),
                new Step.AggregateByKey(reduce),
                new Step.AggregateByKey(combine));
        assertEquals(
                List.of(StepKind.values()),
                travels(new Source.Elements(), byNumber, new Sink.Count()).steps().stream()
                        .map(ExecutorProtocol.StepBody::kind)
                        .toList());
    }

    @Test
    void numbersSinks() {
        List<Sink> byNumber = List.of(
                new Sink.Count(),
                new Sink.Collect(),
                new Sink.Reduce(function),
                new Sink.Take(5),
                new Sink.Foreach(function),
                new Sink.ForeachPartition(function),
                new Sink.Evaluate(function),
                new Sink.ShuffleWrite(SHUFFLE, 2, CapturedFunction.NONE, Optional.empty()),
                new Sink.ShuffleWrite(SHUFFLE, 2, function, Optional.of(reduce)),
                new Sink.ShuffleWrite(SHUFFLE, 2, CapturedFunction.NONE, Optional.of(combine)),
                new Sink.SampleKeys(6),
                new Sink.SaveText(FILES),
                new Sink.SaveObjects(FILES));
        assertEquals(
                List.of(SinkKind.values()),
                byNumber.stream()
                        .map(sink -> travels(new Source.Elements(), List.of(), sink)
                                .sink()
                                .kind())
                        .toList());
    }

    @Test
    void keepsTheNumbersThatInstalledPeersKnow() {
        assertEquals(
                "[INPUT, GROUPED, REDUCED, COMBINED, PAIRS, SORTED, COGROUPED, JOINED, TEXT, WHOLE_TEXT, BINARY, OBJECTS,"
                        + " FIXED_RECORDS, CHECKPOINT, KEPT, UNION, ZIPPED, CROSSED, COGROUPED_PARTS, JOINED_PARTS]",
                List.of(SourceKind.values()).toString());
        assertEquals(
                "[MAP, FILTER, FLAT_MAP, PARTITIONS, INDEXED_PARTITIONS, MAP_VALUES, KEEP, FLAT_MAP_VALUES, GROUP_KEYS,"
                        + " REDUCE_KEYS, COMBINE_KEYS]",
                List.of(StepKind.values()).toString());
        assertEquals(
                "[COUNT, COLLECT, REDUCE, TAKE, FOREACH, FOREACH_PARTITION, FUNCTION, SHUFFLE, SHUFFLE_REDUCED,"
                        + " SHUFFLE_COMBINED, SAMPLE, SAVE_TEXT, SAVE_OBJECTS]",
                List.of(SinkKind.values()).toString());
    }
}
