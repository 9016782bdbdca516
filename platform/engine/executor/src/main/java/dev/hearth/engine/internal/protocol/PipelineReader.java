package dev.hearth.engine.internal.protocol;

import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.plan.BranchSource;
import dev.hearth.engine.internal.plan.FileFormat;
import dev.hearth.engine.internal.plan.FileOutput;
import dev.hearth.engine.internal.plan.JoinKind;
import dev.hearth.engine.internal.plan.KeyAggregation;
import dev.hearth.engine.internal.plan.ShuffleSource;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.Source;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.SinkBody;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.SourceBody;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.StepBody;
import dev.hearth.spi.net.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Converts message bodies to sources, steps and sinks; the reverse of {@link PipelineWriter}. Stateless. */
final class PipelineReader {
    private PipelineReader() {}

    static Source source(SourceBody body) {
        CapturedFunction function = capture(body.function());
        return switch (body.kind()) {
            case INPUT -> new Source.Elements();
            case GROUPED -> new ShuffleSource.Aggregated(body.shuffle(), new KeyAggregation.Group());
            case REDUCED -> new ShuffleSource.Aggregated(body.shuffle(), new KeyAggregation.Reduce(function));
            case COMBINED -> new ShuffleSource.Aggregated(body.shuffle(), new KeyAggregation.Combine(function));
            case PAIRS -> new ShuffleSource.Pairs(body.shuffle());
            case SORTED -> new ShuffleSource.Sorted(body.shuffle(), function, body.descending());
            case COGROUPED -> new ShuffleSource.Cogrouped(shuffles(body), JoinKind.COGROUP);
            case JOINED -> new ShuffleSource.Cogrouped(shuffles(body), JoinKind.JOIN);
            case TEXT -> new Source.Files(FileFormat.TEXT);
            case WHOLE_TEXT -> new Source.Files(FileFormat.WHOLE_TEXT);
            case BINARY -> new Source.Files(FileFormat.BINARY);
            case OBJECTS -> new Source.Files(FileFormat.OBJECTS);
            case FIXED_RECORDS -> new Source.Files(FileFormat.FIXED_RECORDS);
            case CHECKPOINT -> new Source.Files(FileFormat.CHECKPOINT);
            case KEPT -> new Source.LocalCheckpoint();
            case UNION -> new BranchSource.Union(body.parts());
            case ZIPPED -> new BranchSource.Zipped(body.parts(), function);
            case CROSSED -> new BranchSource.Crossed(body.parts());
            case COGROUPED_PARTS -> new BranchSource.Cogrouped(body.parts(), JoinKind.COGROUP);
            case JOINED_PARTS -> new BranchSource.Cogrouped(body.parts(), JoinKind.JOIN);
        };
    }

    /**
     * Returns the shuffles that a source reads. If the source joins several datasets, their shuffles are in the order
     * of the join.
     */
    static List<Integer> shuffles(SourceBody body) {
        List<Integer> all = new ArrayList<>();
        if (body.shuffle() != StagePlan.RESULT) {
            all.add(body.shuffle());
        }
        all.addAll(body.more());
        return all;
    }

    static List<Step> steps(List<StepBody> bodies) {
        return bodies.stream().map(PipelineReader::step).toList();
    }

    private static Step step(StepBody body) {
        CapturedFunction function = capture(body.function());
        return switch (body.kind()) {
            case MAP -> new Step.Map(function);
            case FILTER -> new Step.Filter(function);
            case FLAT_MAP -> new Step.FlatMap(function);
            case PARTITIONS -> new Step.MapPartitions(function);
            case INDEXED_PARTITIONS -> new Step.MapPartitionsWithIndex(function);
            case MAP_VALUES -> new Step.MapValues(function);
            case KEEP -> new Step.Persist(body.dataset(), body.level());
            case FLAT_MAP_VALUES -> new Step.FlatMapValues(function);
            case GROUP_KEYS -> new Step.AggregateByKey(new KeyAggregation.Group());
            case REDUCE_KEYS -> new Step.AggregateByKey(new KeyAggregation.Reduce(function));
            case COMBINE_KEYS -> new Step.AggregateByKey(new KeyAggregation.Combine(function));
        };
    }

    static Sink sink(SinkBody body) {
        CapturedFunction function = capture(body.function());
        FileOutput output = new FileOutput(body.directory(), body.codec(), body.job());
        return switch (body.kind()) {
            case COUNT -> new Sink.Count();
            case COLLECT -> new Sink.Collect();
            case REDUCE -> new Sink.Reduce(function);
            case TAKE -> new Sink.Take(body.limit());
            case FOREACH -> new Sink.Foreach(function);
            case FOREACH_PARTITION -> new Sink.ForeachPartition(function);
            case FUNCTION -> new Sink.Evaluate(function);
            case SHUFFLE -> write(body, Optional.empty());
            case SHUFFLE_REDUCED -> write(body, Optional.of(new KeyAggregation.Reduce(function)));
            case SHUFFLE_COMBINED -> write(body, Optional.of(new KeyAggregation.Combine(function)));
            case SAMPLE -> new Sink.SampleKeys(body.limit());
            case SAVE_TEXT -> new Sink.SaveText(output);
            case SAVE_OBJECTS -> new Sink.SaveObjects(output);
        };
    }

    private static Sink write(SinkBody body, Optional<KeyAggregation> mapSide) {
        return new Sink.ShuffleWrite(body.shuffle(), body.limit(), capture(body.partitioner()), mapSide);
    }

    private static CapturedFunction capture(Bytes function) {
        return function.size() == 0 ? CapturedFunction.NONE : CapturedFunction.encoded(function);
    }
}
