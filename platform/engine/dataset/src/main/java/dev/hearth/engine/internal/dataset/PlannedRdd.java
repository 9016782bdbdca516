package dev.hearth.engine.internal.dataset;

import dev.hearth.api.BarrierRdd;
import dev.hearth.api.HearthContext;
import dev.hearth.api.JobFuture;
import dev.hearth.api.PairRdd;
import dev.hearth.api.PartialResult;
import dev.hearth.api.Partitioner;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import dev.hearth.api.function.ActionFunction;
import dev.hearth.api.function.EstimateFunction;
import dev.hearth.api.function.FilterFunction;
import dev.hearth.api.function.FlatMapFunction;
import dev.hearth.api.function.IndexedPartitionFunction;
import dev.hearth.api.function.MapFunction;
import dev.hearth.api.function.PairFunction;
import dev.hearth.api.function.PartitionFunction;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.api.function.TaskFunction;
import dev.hearth.api.function.ZipFunction;
import dev.hearth.api.resource.ResourceProfile;
import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.filecodec.FileCodec;
import dev.hearth.engine.internal.io.OutputCommitter;
import dev.hearth.engine.internal.io.OutputTarget;
import dev.hearth.engine.internal.plan.FileOutput;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.Source;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Quantity;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;

/**
 * Dataset, represented by its lineage. A transformation captures its function at once: a function that cannot be
 * serialised fails there, and later changes to captured objects have no effect. Immutable.
 */
public class PlannedRdd<T> implements Rdd<T> {
    private final DatasetContext runner;
    private final Lineage.Checkpointable lineage;
    private final String name;
    private final Optional<Partitioner> partitioner;

    PlannedRdd(DatasetContext runner, Lineage lineage, String name) {
        this(runner, lineage, name, Optional.empty());
    }

    PlannedRdd(DatasetContext runner, Lineage lineage, String name, Optional<Partitioner> partitioner) {
        this.runner = runner;
        this.lineage = Lineage.checkpointable(lineage);
        this.name = name;
        this.partitioner = partitioner;
    }

    /** Creates the dataset of the elements that the application passed to {@code parallelize}. */
    public static <T> PlannedRdd<T> given(DatasetContext runner, ParallelizedSource elements) {
        Lineage.Root given = new Lineage.Root(
                runner.nextDataset(),
                new Source.Elements(),
                elements.partitions(),
                elements.inputs(),
                elements.placement());
        return new PlannedRdd<>(runner, given, "");
    }

    @Override
    public int id() {
        return lineage.dataset();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Rdd<T> named(String given) {
        runner.keeper().show(lineage.dataset(), given);
        return new PlannedRdd<>(runner, lineage, given, partitioner);
    }

    @Override
    public Optional<Partitioner> partitioner() {
        return partitioner;
    }

    @Override
    public String toDebugString() {
        return LineageText.of(lineage, runner.keeper());
    }

    @Override
    public HearthContext context() {
        return runner.context();
    }

    @Override
    public int partitions() {
        return lineage.partitions();
    }

    @Override
    public PlannedRdd<T> persist(StorageLevel level) {
        runner.refuseTasks("persist");
        runner.keeper().keep(lineage, lineage.dataset(), name, lineage.partitions(), level);
        remember(runner, name, partitioner.filter(known -> !(known instanceof LazyRangePartitioner)), lineage);
        return this;
    }

    /**
     * Registers a persisted dataset with the context. The entry refers neither to the dataset's {@code PlannedRdd} nor
     * to the lazy partitioner of a sort. Both would keep the parent datasets reachable.
     */
    private static void remember(
            DatasetContext runner, String name, Optional<Partitioner> partitioner, Lineage.Checkpointable lineage) {
        runner.persisted().add(lineage, found -> new PlannedRdd<>(runner, found, name, partitioner));
    }

    @Override
    public PlannedRdd<T> unpersist(boolean blocking) {
        runner.refuseTasks("unpersist");
        runner.keeper().giveUp(lineage.dataset(), blocking);
        return this;
    }

    @Override
    public PlannedRdd<T> withResources(ResourceProfile profile) {
        runner.refuseTasks("withResources");
        runner.profiles().add(profile);
        lineage.need(profile);
        return this;
    }

    @Override
    public Optional<ResourceProfile> resourceProfile() {
        return lineage.profile();
    }

    @Override
    public StorageLevel storageLevel() {
        return runner.keeper().level(lineage.dataset());
    }

    @Override
    public void checkpoint() {
        Checkpoints.request(runner, lineage);
    }

    @Override
    public void localCheckpoint() {
        Checkpoints.requestLocally(runner, lineage, name);
    }

    @Override
    public boolean isCheckpointed() {
        return lineage.checkpointing() == Lineage.Checkpointing.DONE;
    }

    @Override
    public <R> Rdd<R> map(MapFunction<? super T, ? extends R> function) {
        return new PlannedRdd<>(runner, then(Step.Map::new, function, "map"), "");
    }

    @Override
    public Rdd<T> filter(FilterFunction<? super T> function) {
        return new PlannedRdd<>(runner, then(Step.Filter::new, function, "filter"), "", partitioner);
    }

    @Override
    public <R> Rdd<R> flatMap(FlatMapFunction<? super T, ? extends R> function) {
        return new PlannedRdd<>(runner, then(Step.FlatMap::new, function, "flatMap"), "");
    }

    @Override
    public <R> Rdd<R> mapPartitions(PartitionFunction<T, R> function, boolean preserves) {
        return new PlannedRdd<>(
                runner, then(Step.MapPartitions::new, function, "mapPartitions"), "", preserved(preserves));
    }

    @Override
    public <R> Rdd<R> mapPartitionsWithIndex(IndexedPartitionFunction<T, R> function, boolean preserves) {
        return new PlannedRdd<>(
                runner,
                then(Step.MapPartitionsWithIndex::new, function, "mapPartitionsWithIndex"),
                "",
                preserved(preserves));
    }

    @Override
    public <S, R> Rdd<R> mapPartitionsAfter(
            TaskFunction<T, S> survey,
            MapFunction<? super List<S>, ? extends IndexedPartitionFunction<T, R>> making,
            boolean preserves) {
        TwoPassFunction<T, S, R> asked = new TwoPassFunction<>(
                lineage, CallSite.operation("mapPartitionsAfter"), capture(survey, "mapPartitionsAfter"), making);
        return new PlannedRdd<>(
                runner, new Lineage.TwoPass(runner.nextDataset(), lineage, asked), "", preserved(preserves));
    }

    private Optional<Partitioner> preserved(boolean preserves) {
        return preserves ? partitioner : Optional.empty();
    }

    @Override
    public <U> PairRdd<T, U> cartesian(Rdd<U> other) {
        return new PlannedPairs<>(runner, NarrowDatasets.cartesian(runner, lineage, lineageOf(other, "cartesian")), "");
    }

    @Override
    public <U, R> Rdd<R> zipPartitions(Rdd<U> other, ZipFunction<T, U, R> function, boolean preserves) {
        Lineage zipped = NarrowDatasets.zipped(
                runner, lineage, lineageOf(other, "zipPartitions"), capture(function, "zipPartitions"));
        return new PlannedRdd<>(runner, zipped, "", preserved(preserves));
    }

    @Override
    public Rdd<T> coalesce(int partitions) {
        return new PlannedRdd<>(runner, NarrowDatasets.coalesced(runner, lineage, partitions), "");
    }

    @Override
    public Rdd<T> pick(List<Integer> partitions) {
        return new PlannedRdd<>(runner, NarrowDatasets.selected(runner, lineage, partitions), "");
    }

    @Override
    public <K, V> PairRdd<K, V> mapToPair(PairFunction<? super T, K, V> function) {
        return new PlannedPairs<>(runner, then(Step.Map::new, function, "mapToPair"), "");
    }

    @Override
    public BarrierRdd<T> barrier() {
        return new BarrierRdd<>() {
            @Override
            public <R> Rdd<R> mapPartitions(PartitionFunction<T, R> function) {
                Lineage gathered = new Lineage.Transformed(
                        runner.nextDataset(),
                        lineage,
                        new Step.MapPartitions(capture(function, "mapPartitions")),
                        true);
                return new PlannedRdd<>(runner, gathered, "");
            }
        };
    }

    @Override
    public T reduce(ReduceFunction<T> function) {
        return runner.run(actions("reduce").reducing(function));
    }

    @Override
    public long count() {
        return runner.run(actions("count").counting());
    }

    @Override
    public List<T> collect() {
        return runner.run(actions("collect").collecting());
    }

    @Override
    public void foreach(ActionFunction<? super T> function) {
        runner.run(actions("foreach").each(function));
    }

    @Override
    public void foreachPartition(ActionFunction<Iterator<T>> function) {
        runner.run(actions("foreachPartition").eachPartition(function));
    }

    @Override
    public List<T> take(int count) {
        return actions("take").take(count);
    }

    @Override
    public T first() {
        List<T> found = actions("first").take(1);
        if (found.isEmpty()) {
            throw ErrorCode.EMPTY_DATASET.failure(
                    "first: the dataset has no elements (expected: one or more); test with isEmpty() first");
        }
        return found.get(0);
    }

    @Override
    public boolean isEmpty() {
        return actions("isEmpty").take(1).isEmpty();
    }

    @Override
    public <R> List<R> evaluate(TaskFunction<T, R> function, List<Integer> partitions) {
        return runner.run(actions("evaluate").running(function, partitions));
    }

    @Override
    public <R> JobFuture<List<R>> evaluateAsync(TaskFunction<T, R> function, List<Integer> partitions) {
        return runner.start(actions("evaluateAsync").running(function, partitions));
    }

    @Override
    public <S, R> PartialResult<R> approximate(
            TaskFunction<T, S> function, EstimateFunction<S, R> estimate, Duration timeout) {
        IncrementalResults<S> arriving = new IncrementalResults<>(runner.objects());
        Action<List<S>> action = actions("approximate").arriving(function, arriving);
        return Approximation.of(runner, action, arriving, estimate, partitions(), timeout);
    }

    @Override
    public JobFuture<List<T>> takeAsync(int count) {
        Actions<T> actions = actions("takeAsync");
        return new AsyncTake<>(runner, actions, Actions.requireNotNegative("takeAsync", count)).start();
    }

    @Override
    public JobFuture<Long> countAsync() {
        return runner.start(actions("countAsync").counting());
    }

    @Override
    public JobFuture<List<T>> collectAsync() {
        return runner.start(actions("collectAsync").collecting());
    }

    @Override
    public JobFuture<Void> foreachAsync(ActionFunction<? super T> function) {
        return runner.start(actions("foreachAsync").each(function));
    }

    @Override
    public JobFuture<Void> foreachPartitionAsync(ActionFunction<Iterator<T>> function) {
        return runner.start(actions("foreachPartitionAsync").eachPartition(function));
    }

    @Override
    public void saveAsTextFile(String directory, String codec) {
        FileCodec compression = codec.isEmpty() ? FileCodec.NONE : FileCodec.named(codec);
        save("saveAsTextFile", directory, compression, Sink.SaveText::new, OutputCommitter::commit);
    }

    @Override
    public void saveAsObjectFile(String directory) {
        save("saveAsObjectFile", directory, FileCodec.NONE, Sink.SaveObjects::new, OutputCommitter::commitListed);
    }

    private void save(
            String operation,
            String directory,
            FileCodec codec,
            Function<FileOutput, Sink> sink,
            ObjIntConsumer<OutputCommitter> commit) {
        Actions<T> actions = actions(operation);
        OutputCommitter output =
                OutputCommitter.prepare(directory, UUID.randomUUID().toString(), codec, runner.stores());
        OutputTarget target = output.target();
        try {
            runner.run(actions.saving(
                    sink.apply(new FileOutput(target.directory(), target.codec().name(), target.job()))));
            commit.accept(output, partitions());
        } catch (Throwable failure) { // removes partial output even after an Error
            output.abort();
            throw failure;
        }
    }

    /**
     * Returns the {@link Actions} of this dataset for one call of the API method {@code operation}. Fails if that call
     * is inside a task.
     */
    public Actions<T> actions(String operation) {
        runner.refuseTasks(operation);
        return new Actions<>(runner, lineage, operation);
    }

    DatasetContext runner() {
        return runner;
    }

    Lineage lineage() {
        return lineage;
    }

    final CapturedFunction capture(Object function, String operation) {
        runner.refuseTasks(operation);
        return CapturedFunction.of(function, runner.objects(), "function given to " + CallSite.operation(operation));
    }

    private Lineage lineageOf(Rdd<?> other, String operation) {
        return NarrowDatasets.lineageOf(runner, other, operation);
    }

    final Lineage then(Function<CapturedFunction, Step> step, Object function, String operation) {
        return new Lineage.Transformed(runner.nextDataset(), lineage, step.apply(capture(function, operation)), false);
    }

    @Override
    public String toString() {
        return (name.isEmpty() ? "dataset " : name + ", dataset ") + id() + " of "
                + Quantity.of(partitions(), "partition");
    }
}
