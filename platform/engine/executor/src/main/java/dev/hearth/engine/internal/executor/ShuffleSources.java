package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.aggregate.AggregateFunction;
import dev.hearth.engine.internal.aggregate.HashAggregator;
import dev.hearth.engine.internal.aggregate.HashGrouper;
import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.plan.ShuffleSource;
import dev.hearth.engine.internal.serializer.RecordFormat;
import dev.hearth.engine.internal.shuffle.FetchFailedException;
import dev.hearth.engine.internal.shuffle.LazyRecordReader;
import dev.hearth.engine.internal.shuffle.PairConsumer;
import dev.hearth.engine.internal.shuffle.ShuffleInput;
import dev.hearth.engine.internal.shuffle.ShuffleSegment;
import dev.hearth.engine.internal.sort.ExternalSorter;
import dev.hearth.engine.internal.sort.SortOrder;
import dev.hearth.engine.internal.sort.SortServices;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Opens the sources from which one task attempt reads the shuffle data of its reduce partition. Owned by the attempt's
 * thread.
 */
final class ShuffleSources implements ShuffleSource.Handler<Iterator<?>, FetchFailedException> {
    private final TaskAttempt attempt;
    private final int partition;
    private final Object function;

    /**
     * {@code partition} is the reduce partition to read, and {@code function} is the deserialised user function of the
     * source.
     */
    ShuffleSources(TaskAttempt attempt, int partition, Object function) {
        this.attempt = attempt;
        this.partition = partition;
        this.function = function;
    }

    @Override
    public Iterator<?> onPairs(ShuffleSource.Pairs source) throws FetchFailedException {
        return new ShufflePairIterator(attempt, source.shuffle(), partition);
    }

    @Override
    public Iterator<?> onAggregated(ShuffleSource.Aggregated source) throws FetchFailedException {
        Optional<AggregateFunction> merging = AggregateFunctions.ofCombined(source.aggregation(), function);
        if (merging.isEmpty()) {
            return grouping(source.shuffles()).groups();
        }
        HashAggregator combining = HashAggregator.ofAll(new TaskAggregationServices(attempt), merging.get());
        attempt.atEnd(combining::close);
        read(source.shuffle(), combining);
        return combining.pairs();
    }

    @Override
    public Iterator<?> onCogrouped(ShuffleSource.Cogrouped source) throws FetchFailedException {
        return LocalAggregation.result(grouping(source.shuffles()), source.join());
    }

    private HashGrouper grouping(List<Integer> shuffles) throws FetchFailedException {
        HashGrouper grouping = new HashGrouper(new TaskAggregationServices(attempt), shuffles.size());
        attempt.atEnd(grouping::close);
        for (int side = 0; side < shuffles.size(); side++) {
            read(shuffles.get(side), grouping.side(side));
        }
        return grouping;
    }

    private void read(int shuffle, PairConsumer receiver) throws FetchFailedException {
        read(shuffle, receiver, new LazyRecordReader(attempt.services.data()::records));
    }

    /**
     * Sends all pairs of the partition to {@code receiver}. A corrupt map output becomes a fetch failure, so that the
     * driver has the output computed again.
     */
    private void read(int shuffle, PairConsumer receiver, RecordFormat.Reader reader) throws FetchFailedException {
        try (ShuffleInput blocks =
                attempt.services.shuffleInputs().read(shuffle, partition, AttemptReader.of(attempt))) {
            for (Optional<ShuffleSegment> next = blocks.next(); next.isPresent(); next = blocks.next()) {
                ShuffleSegment block = next.get();
                try (ShuffleSegment.Cursor cursor = block.open(reader)) {
                    do {
                        attempt.checkKilled();
                    } while (cursor.send(receiver));
                } catch (CorruptFileException damage) {
                    throw blocks.damaged(damage);
                }
                attempt.shuffleRead(block);
            }
        }
    }

    @Override
    @SuppressWarnings("unchecked") // the comparator is given only keys, for whose type it was written
    public Iterator<?> onSorted(ShuffleSource.Sorted source) throws FetchFailedException {
        DataPlane data = attempt.services.data();
        Optional<Comparator<Object>> given = function instanceof Comparator<?> comparator
                ? Optional.of((Comparator<Object>) comparator)
                : Optional.empty();
        ExternalSorter sorter = new ExternalSorter(
                new SortServices(attempt.memory(), data::records, data::files, data::sizes, attempt::checkKilled),
                new SortOrder(given, source.descending()),
                "sort of partition " + partition);
        attempt.atEnd(sorter::close);
        read(source.shuffle(), sorter, sorter.reader());
        return sorter.sorted();
    }
}
