package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.aggregate.AggregateFunction;
import dev.hearth.engine.internal.aggregate.HashAggregator;
import dev.hearth.engine.internal.aggregate.HashGrouper;
import dev.hearth.engine.internal.disk.CorruptFileException;
import dev.hearth.engine.internal.plan.Pipeline;
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

/** Brings together what all map tasks have for one reader, by key. No state of its own. */
final class ShuffleSources {
    private ShuffleSources() {}

    /** What {@code source} gives for one of its partitions. */
    static Iterator<?> read(TaskAttempt attempt, Pipeline.Source source, int partition, Object function)
            throws FetchFailedException {
        return switch (source.kind()) {
            case GROUPED -> grouping(attempt, source, partition).groups();
            case REDUCED -> combined(attempt, source, partition, AggregateFunction.reducing(function));
            case COMBINED -> combined(attempt, source, partition, AggregateFunction.joining(function));
            case PAIRS -> new ShufflePairIterator(attempt, source.shuffles().get(0), partition);
            case SORTED -> sorted(attempt, source, partition, function);
            case COGROUPED -> grouping(attempt, source, partition).cogroups();
            case JOINED -> grouping(attempt, source, partition).joined();
            case INPUT, TEXT, WHOLE_TEXT, BINARY, OBJECTS, FIXED_RECORDS, CHECKPOINT, KEPT ->
                throw new IllegalStateException("source " + source.kind() + ": reads no shuffle");
            case UNION, ZIPPED, CROSSED, COGROUPED_PARTS, JOINED_PARTS ->
                throw new IllegalStateException("source " + source.kind() + ": reads parts");
        };
    }

    private static Iterator<Object> combined(
            TaskAttempt attempt, Pipeline.Source source, int partition, AggregateFunction merging)
            throws FetchFailedException {
        HashAggregator combining = HashAggregator.ofAll(new TaskAggregationServices(attempt), merging);
        attempt.atEnd(combining::close);
        each(attempt, source.shuffles().get(0), partition, combining);
        return combining.pairs();
    }

    private static HashGrouper grouping(TaskAttempt attempt, Pipeline.Source source, int partition)
            throws FetchFailedException {
        List<Integer> shuffles = source.shuffles();
        HashGrouper grouping = new HashGrouper(new TaskAggregationServices(attempt), shuffles.size());
        attempt.atEnd(grouping::close);
        for (int side = 0; side < shuffles.size(); side++) {
            each(attempt, shuffles.get(side), partition, grouping.side(side));
        }
        return grouping;
    }

    /** Hands all pairs of a shuffle for one of its readers to {@code receiver}; damaged output is given up, to be made again. */
    static void each(TaskAttempt attempt, int shuffle, int partition, PairConsumer receiver)
            throws FetchFailedException {
        each(attempt, shuffle, partition, receiver, new LazyRecordReader(attempt.services.data()::records));
    }

    private static void each(
            TaskAttempt attempt, int shuffle, int partition, PairConsumer receiver, RecordFormat.Reader reader)
            throws FetchFailedException {
        try (ShuffleInput blocks =
                attempt.services.data().inputs().read(shuffle, partition, AttemptReader.of(attempt))) {
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

    @SuppressWarnings("unchecked") // it compares keys, and is given no others
    private static Iterator<Object> sorted(TaskAttempt attempt, Pipeline.Source source, int partition, Object function)
            throws FetchFailedException {
        DataPlane data = attempt.services.data();
        Optional<Comparator<Object>> given = function instanceof Comparator<?> comparator
                ? Optional.of((Comparator<Object>) comparator)
                : Optional.empty();
        ExternalSorter sorter = new ExternalSorter(
                new SortServices(attempt.memory(), data::records, data::files, data::sizes, attempt::checkKilled),
                new SortOrder(given, source.descending()),
                "sort of partition " + partition);
        attempt.atEnd(sorter::close);
        each(attempt, source.shuffles().get(0), partition, sorter, sorter.reader());
        return sorter.sorted();
    }
}
