package dev.hearth.engine.internal.dataset;

import dev.hearth.api.Partitioner;
import dev.hearth.api.Rdd;
import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.plan.BranchSource;
import dev.hearth.engine.internal.plan.NarrowDependencies;
import dev.hearth.engine.internal.plan.NarrowDependencyKind;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Creates datasets with narrow dependencies on others: union, zip, cartesian, coalesce. Stateless. */
public final class NarrowDatasets {
    private NarrowDatasets() {}

    /**
     * Unites datasets. If all have the same partitioner and number of partitions, partitions with the same index are
     * merged. Otherwise, the result has all partitions of all datasets, in order.
     */
    @SuppressWarnings("unchecked") // a dataset is read-only, so one of a subtype of T serves as one of T
    public static <T> Rdd<T> union(DatasetContext runner, List<? extends Rdd<? extends T>> datasets) {
        runner.refuseTasks("union");
        if (datasets.isEmpty()) {
            return empty(runner);
        }
        List<Lineage> parents = new ArrayList<>();
        datasets.forEach(dataset -> parents.add(lineageOf(runner, dataset, "union")));
        if (datasets.size() == 1) {
            return (Rdd<T>) datasets.get(0);
        }
        Optional<Partitioner> first = datasets.get(0).partitioner();
        int most = parents.get(0).partitions();
        boolean alike = first.isPresent()
                && datasets.stream().allMatch(other -> other.partitioner().equals(first) && other.partitions() == most);
        if (alike) {
            return new PlannedRdd<>(runner, oneToOne(runner, parents, BranchSource.Union::new), "", first);
        }
        int all = 0;
        for (Lineage parent : parents) {
            all = Math.addExact(all, parent.partitions());
        }
        NarrowDependencies parts = new NarrowDependencies(
                NarrowDependencyKind.CONCATENATED,
                indices(parents),
                parents.stream().map(Lineage::partitions).toList());
        return new PlannedRdd<>(
                runner, new Lineage.Narrow(runner.nextDataset(), parents, new BranchSource.Union(parts), all), "");
    }

    /** Creates a dataset that has no partitions. */
    public static <T> Rdd<T> empty(DatasetContext runner) {
        runner.refuseTasks("emptyRdd");
        NarrowDependencies none = new NarrowDependencies(NarrowDependencyKind.CONCATENATED, List.of(), List.of());
        return new PlannedRdd<>(
                runner, new Lineage.Narrow(runner.nextDataset(), List.of(), new BranchSource.Union(none), 0), "");
    }

    /** Creates the lineage of a dataset with one partition, which has no elements. */
    static Lineage emptyPartition(DatasetContext runner) {
        return new Lineage.Narrow(runner.nextDataset(), List.of(), new BranchSource.Union(NarrowDependencies.NONE), 1);
    }

    /**
     * Creates the lineage of a dataset whose partitions each depend on the partition with the same index in each
     * parent. All parents must have the same number of partitions.
     */
    static Lineage oneToOne(
            DatasetContext runner, List<Lineage> parents, Function<NarrowDependencies, BranchSource> source) {
        NarrowDependencies parts = new NarrowDependencies(NarrowDependencyKind.ONE_TO_ONE, indices(parents), List.of());
        return new Lineage.Narrow(
                runner.nextDataset(),
                parents,
                source.apply(parts),
                parents.get(0).partitions());
    }

    static Lineage zipped(DatasetContext runner, Lineage left, Lineage right, CapturedFunction function) {
        if (left.partitions() != right.partitions()) {
            throw ErrorCode.BAD_ARGUMENT.failure(CallSite.operation("zipPartitions") + ": "
                    + Quantity.of(left.partitions(), "partition") + " in this dataset, " + right.partitions()
                    + " in the other (expected: the same number in both); use repartition, or join by keys");
        }
        return oneToOne(runner, List.of(left, right), parts -> new BranchSource.Zipped(parts, function));
    }

    static Lineage cartesian(DatasetContext runner, Lineage left, Lineage right) {
        runner.refuseTasks("cartesian");
        long all = (long) left.partitions() * right.partitions();
        if (all > Integer.MAX_VALUE) {
            throw ErrorCode.BAD_ARGUMENT.failure("cartesian: " + all + " partitions (expected: at most "
                    + Integer.MAX_VALUE + "); coalesce the datasets first");
        }
        NarrowDependencies parts =
                new NarrowDependencies(NarrowDependencyKind.CARTESIAN, List.of(0, 1), List.of(right.partitions()));
        return new Lineage.Narrow(
                runner.nextDataset(), List.of(left, right), new BranchSource.Crossed(parts), (int) all);
    }

    static Lineage coalesced(DatasetContext runner, Lineage from, int partitions) {
        runner.refuseTasks("coalesce");
        if (partitions < 1) {
            throw ErrorCode.BAD_ARGUMENT.failure("coalesce: " + partitions + " partitions (expected: 1 or more)");
        }
        int fewer = Math.min(partitions, from.partitions());
        NarrowDependencies parts =
                new NarrowDependencies(NarrowDependencyKind.COALESCED, List.of(0), List.of(from.partitions(), fewer));
        return new Lineage.Narrow(runner.nextDataset(), List.of(from), new BranchSource.Union(parts), fewer);
    }

    static Lineage selected(DatasetContext runner, Lineage from, List<Integer> partitions) {
        runner.refuseTasks("pick");
        for (int partition : partitions) {
            if (partition < 0 || partition >= from.partitions()) {
                throw ErrorCode.BAD_ARGUMENT.failure("pick: partition " + partition + " (expected: 0 to "
                        + (from.partitions() - 1) + ", for the dataset has " + from.partitions() + ")");
            }
        }
        NarrowDependencies parts = new NarrowDependencies(NarrowDependencyKind.SELECTED, List.of(0), partitions);
        return new Lineage.Narrow(
                runner.nextDataset(), List.of(from), new BranchSource.Union(parts), partitions.size());
    }

    /**
     * The lineage of the dataset {@code other}. Fails if the dataset does not belong to the context of {@code runner}.
     * {@code operation} names the caller's operation in the error.
     */
    static Lineage lineageOf(DatasetContext runner, Rdd<?> other, String operation) {
        if (other instanceof PlannedRdd<?> planned && planned.context() == runner.context()) {
            return planned.lineage();
        }
        throw ErrorCode.BAD_ARGUMENT.failure(CallSite.operation(operation) + ": " + other
                + " belongs to another context (expected: a dataset of this one)");
    }

    private static List<Integer> indices(List<Lineage> parents) {
        return IntStream.range(0, parents.size()).boxed().toList();
    }
}
