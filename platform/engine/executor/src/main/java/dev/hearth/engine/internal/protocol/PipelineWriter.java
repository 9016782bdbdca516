package dev.hearth.engine.internal.protocol;

import dev.hearth.api.StorageLevel;
import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.plan.BranchSource;
import dev.hearth.engine.internal.plan.FileOutput;
import dev.hearth.engine.internal.plan.JoinKind;
import dev.hearth.engine.internal.plan.KeyAggregation;
import dev.hearth.engine.internal.plan.ShuffleSource;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.Source;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.SinkBody;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.SinkKind;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.SourceBody;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.SourceKind;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.StepBody;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.StepKind;
import dev.hearth.spi.net.Bytes;
import java.util.List;

/** Converts sources, steps and sinks to message bodies; {@link PipelineReader} converts them back. Immutable. */
final class PipelineWriter {
    private static final int NO_DATASET = -1;
    private static final FileOutput NO_FILES = new FileOutput("", "", "");

    private final UserObjectSerializer objects;

    PipelineWriter(UserObjectSerializer objects) {
        this.objects = objects;
    }

    SourceBody source(Source source) {
        List<Integer> shuffles = source.shuffles();
        return new SourceBody(
                source.accept(new SourceKinds()),
                shuffles.isEmpty() ? StagePlan.RESULT : shuffles.get(0),
                bytes(source.function()),
                source.parts(),
                shuffles.subList(Math.min(1, shuffles.size()), shuffles.size()),
                source instanceof ShuffleSource.Sorted sorted && sorted.descending());
    }

    List<StepBody> steps(List<Step> steps) {
        return steps.stream().map(step -> step.accept(new StepBodies())).toList();
    }

    SinkBody sink(Sink sink) {
        return sink.accept(new SinkBodies());
    }

    private Bytes bytes(CapturedFunction capture) {
        return capture == CapturedFunction.NONE ? Bytes.EMPTY : capture.bytes(objects, "function of the job");
    }

    /** Visitor that returns the {@link SourceKind} that stands for a source in messages. */
    private static final class SourceKinds
            implements Source.Handler<SourceKind, RuntimeException>,
                    ShuffleSource.Handler<SourceKind, RuntimeException>,
                    BranchSource.Handler<SourceKind, RuntimeException> {
        @Override
        public SourceKind onElements(Source.Elements source) {
            return SourceKind.INPUT;
        }

        @Override
        public SourceKind onFiles(Source.Files source) {
            return switch (source.format()) {
                case TEXT -> SourceKind.TEXT;
                case WHOLE_TEXT -> SourceKind.WHOLE_TEXT;
                case BINARY -> SourceKind.BINARY;
                case OBJECTS -> SourceKind.OBJECTS;
                case FIXED_RECORDS -> SourceKind.FIXED_RECORDS;
                case CHECKPOINT -> SourceKind.CHECKPOINT;
            };
        }

        @Override
        public SourceKind onLocalCheckpoint(Source.LocalCheckpoint source) {
            return SourceKind.KEPT;
        }

        @Override
        public SourceKind onShuffle(ShuffleSource source) {
            return source.acceptShuffle(this);
        }

        @Override
        public SourceKind onBranches(BranchSource source) {
            return source.acceptBranches(this);
        }

        @Override
        public SourceKind onPairs(ShuffleSource.Pairs source) {
            return SourceKind.PAIRS;
        }

        @Override
        public SourceKind onAggregated(ShuffleSource.Aggregated source) {
            return source.aggregation()
                    .accept(new ByAggregation<>(SourceKind.GROUPED, SourceKind.REDUCED, SourceKind.COMBINED));
        }

        @Override
        public SourceKind onSorted(ShuffleSource.Sorted source) {
            return SourceKind.SORTED;
        }

        @Override
        public SourceKind onCogrouped(ShuffleSource.Cogrouped source) {
            return source.join() == JoinKind.JOIN ? SourceKind.JOINED : SourceKind.COGROUPED;
        }

        @Override
        public SourceKind onUnion(BranchSource.Union source) {
            return SourceKind.UNION;
        }

        @Override
        public SourceKind onZipped(BranchSource.Zipped source) {
            return SourceKind.ZIPPED;
        }

        @Override
        public SourceKind onCrossed(BranchSource.Crossed source) {
            return SourceKind.CROSSED;
        }

        @Override
        public SourceKind onCogrouped(BranchSource.Cogrouped source) {
            return source.join() == JoinKind.JOIN ? SourceKind.JOINED_PARTS : SourceKind.COGROUPED_PARTS;
        }
    }

    /** Visitor that converts a step to the form in which messages contain it. */
    private final class StepBodies implements Step.Handler<StepBody, RuntimeException> {
        private StepBody body(StepKind kind, Step step) {
            return new StepBody(kind, bytes(step.function()), NO_DATASET, StorageLevel.NONE);
        }

        @Override
        public StepBody onMap(Step.Map step) {
            return body(StepKind.MAP, step);
        }

        @Override
        public StepBody onFilter(Step.Filter step) {
            return body(StepKind.FILTER, step);
        }

        @Override
        public StepBody onFlatMap(Step.FlatMap step) {
            return body(StepKind.FLAT_MAP, step);
        }

        @Override
        public StepBody onMapPartitions(Step.MapPartitions step) {
            return body(StepKind.PARTITIONS, step);
        }

        @Override
        public StepBody onMapPartitionsWithIndex(Step.MapPartitionsWithIndex step) {
            return body(StepKind.INDEXED_PARTITIONS, step);
        }

        @Override
        public StepBody onMapValues(Step.MapValues step) {
            return body(StepKind.MAP_VALUES, step);
        }

        @Override
        public StepBody onFlatMapValues(Step.FlatMapValues step) {
            return body(StepKind.FLAT_MAP_VALUES, step);
        }

        @Override
        public StepBody onPersist(Step.Persist step) {
            return new StepBody(StepKind.KEEP, Bytes.EMPTY, step.dataset(), step.level());
        }

        @Override
        public StepBody onAggregateByKey(Step.AggregateByKey step) {
            return body(
                    step.aggregation()
                            .accept(new ByAggregation<>(
                                    StepKind.GROUP_KEYS, StepKind.REDUCE_KEYS, StepKind.COMBINE_KEYS)),
                    step);
        }
    }

    /** Visitor that converts a sink to the form in which messages contain it. */
    private final class SinkBodies implements Sink.Handler<SinkBody, RuntimeException> {
        private SinkBody body(SinkKind kind, Sink sink) {
            return body(kind, sink, 0, NO_FILES);
        }

        private SinkBody body(SinkKind kind, Sink sink, int limit, FileOutput output) {
            return new SinkBody(
                    kind,
                    bytes(sink.function()),
                    StagePlan.RESULT,
                    limit,
                    output.directory(),
                    output.codec(),
                    output.job(),
                    Bytes.EMPTY);
        }

        @Override
        public SinkBody onCount(Sink.Count sink) {
            return body(SinkKind.COUNT, sink);
        }

        @Override
        public SinkBody onCollect(Sink.Collect sink) {
            return body(SinkKind.COLLECT, sink);
        }

        @Override
        public SinkBody onTake(Sink.Take sink) {
            return body(SinkKind.TAKE, sink, sink.limit(), NO_FILES);
        }

        @Override
        public SinkBody onReduce(Sink.Reduce sink) {
            return body(SinkKind.REDUCE, sink);
        }

        @Override
        public SinkBody onForeach(Sink.Foreach sink) {
            return body(SinkKind.FOREACH, sink);
        }

        @Override
        public SinkBody onForeachPartition(Sink.ForeachPartition sink) {
            return body(SinkKind.FOREACH_PARTITION, sink);
        }

        @Override
        public SinkBody onEvaluate(Sink.Evaluate sink) {
            return body(SinkKind.FUNCTION, sink);
        }

        @Override
        public SinkBody onSampleKeys(Sink.SampleKeys sink) {
            return body(SinkKind.SAMPLE, sink, sink.limit(), NO_FILES);
        }

        @Override
        public SinkBody onSaveText(Sink.SaveText sink) {
            return body(SinkKind.SAVE_TEXT, sink, 0, sink.output());
        }

        @Override
        public SinkBody onSaveObjects(Sink.SaveObjects sink) {
            return body(SinkKind.SAVE_OBJECTS, sink, 0, sink.output());
        }

        @Override
        public SinkBody onShuffleWrite(Sink.ShuffleWrite sink) {
            SinkKind kind = sink.mapSide()
                    .map(aggregation -> aggregation.accept(
                            new ByAggregation<>(SinkKind.SHUFFLE, SinkKind.SHUFFLE_REDUCED, SinkKind.SHUFFLE_COMBINED)))
                    .orElse(SinkKind.SHUFFLE);
            return new SinkBody(
                    kind,
                    bytes(sink.function()),
                    sink.shuffle(),
                    sink.partitions(),
                    NO_FILES.directory(),
                    NO_FILES.codec(),
                    NO_FILES.job(),
                    bytes(sink.partitioner()));
        }
    }

    /** Visitor that chooses, by the kind of an aggregation, one of the three message kinds that it was created with. */
    private record ByAggregation<K>(K group, K reduce, K combine) implements KeyAggregation.Handler<K> {
        @Override
        public K onGroup(KeyAggregation.Group aggregation) {
            return group;
        }

        @Override
        public K onReduce(KeyAggregation.Reduce aggregation) {
            return reduce;
        }

        @Override
        public K onCombine(KeyAggregation.Combine aggregation) {
            return combine;
        }
    }
}
