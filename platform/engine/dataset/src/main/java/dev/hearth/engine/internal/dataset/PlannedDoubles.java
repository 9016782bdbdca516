package dev.hearth.engine.internal.dataset;

import dev.hearth.api.DoubleRdd;
import dev.hearth.api.Partitioner;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import dev.hearth.api.function.FilterFunction;
import dev.hearth.api.resource.ResourceProfile;
import java.util.Optional;

/** Dataset of doubles, represented by its lineage. Immutable. */
public final class PlannedDoubles extends PlannedRdd<Double> implements DoubleRdd {
    private PlannedDoubles(DatasetContext runner, Lineage lineage, String name, Optional<Partitioner> partitioner) {
        super(runner, lineage, name, partitioner);
    }

    /**
     * A view of {@code dataset} with the operations of {@link DoubleRdd}; {@code dataset} itself if it already has
     * them.
     */
    public static DoubleRdd of(DatasetContext runner, Rdd<Double> dataset) {
        runner.refuseTasks("doubles");
        return dataset instanceof DoubleRdd already
                ? already
                : new PlannedDoubles(
                        runner,
                        NarrowDatasets.lineageOf(runner, dataset, "doubles"),
                        dataset.name(),
                        dataset.partitioner());
    }

    @Override
    public DoubleRdd named(String given) {
        return of(runner(), super.named(given));
    }

    @Override
    public PlannedDoubles persist(StorageLevel level) {
        super.persist(level);
        return this;
    }

    @Override
    public PlannedDoubles withResources(ResourceProfile profile) {
        super.withResources(profile);
        return this;
    }

    @Override
    public PlannedDoubles unpersist(boolean blocking) {
        super.unpersist(blocking);
        return this;
    }

    @Override
    public DoubleRdd filter(FilterFunction<? super Double> function) {
        return of(runner(), super.filter(function));
    }

    @Override
    public DoubleRdd coalesce(int partitions) {
        return of(runner(), super.coalesce(partitions));
    }
}
