package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.aggregate.Combining;
import dev.hearth.engine.internal.aggregate.Grouping;
import dev.hearth.engine.internal.aggregate.Merging;
import dev.hearth.engine.internal.disk.DamagedSegment;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.record.RecordFormat;
import dev.hearth.engine.internal.shuffle.LateReader;
import dev.hearth.engine.internal.shuffle.MissingOutput;
import dev.hearth.engine.internal.shuffle.PairBlock;
import dev.hearth.engine.internal.shuffle.PairBlocks;
import dev.hearth.engine.internal.shuffle.PairReceiver;
import dev.hearth.engine.internal.sort.PairSorter;
import dev.hearth.engine.internal.sort.SortOrder;
import dev.hearth.engine.internal.sort.SortServices;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Brings together what all map tasks have for one reader, by key. No state of its own. */
final class ShuffleReads {
    private ShuffleReads() {}

    /** What {@code source} gives for one of its partitions. */
    static Iterator<?> read(TaskAttempt attempt, Pipeline.Source source, int partition, Object function)
            throws MissingOutput {
        return switch (source.kind()) {
            case GROUPED -> grouping(attempt, source, partition).groups();
            case REDUCED -> combined(attempt, source, partition, Merging.reducing(function));
            case COMBINED -> combined(attempt, source, partition, Merging.joining(function));
            case PAIRS -> new ShuffledPairs(attempt, source.shuffles().get(0), partition);
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
            TaskAttempt attempt, Pipeline.Source source, int partition, Merging merging) throws MissingOutput {
        Combining combining = Combining.ofAll(new TaskBench(attempt), merging);
        attempt.atEnd(combining::close);
        each(attempt, source.shuffles().get(0), partition, combining);
        return combining.pairs();
    }

    private static Grouping grouping(TaskAttempt attempt, Pipeline.Source source, int partition) throws MissingOutput {
        List<Integer> shuffles = source.shuffles();
        Grouping grouping = new Grouping(new TaskBench(attempt), shuffles.size());
        attempt.atEnd(grouping::close);
        for (int side = 0; side < shuffles.size(); side++) {
            each(attempt, shuffles.get(side), partition, grouping.side(side));
        }
        return grouping;
    }

    /** Hands all pairs of a shuffle for one of its readers to {@code receiver}; damaged output is given up, to be made again. */
    static void each(TaskAttempt attempt, int shuffle, int partition, PairReceiver receiver) throws MissingOutput {
        each(attempt, shuffle, partition, receiver, new LateReader(attempt.services.data()::records));
    }

    private static void each(
            TaskAttempt attempt, int shuffle, int partition, PairReceiver receiver, RecordFormat.Reader reader)
            throws MissingOutput {
        try (PairBlocks blocks = attempt.services.data().inputs().read(shuffle, partition, TaskReading.of(attempt))) {
            for (Optional<PairBlock> next = blocks.next(); next.isPresent(); next = blocks.next()) {
                PairBlock block = next.get();
                try (PairBlock.Cursor cursor = block.open(reader)) {
                    do {
                        attempt.checkKilled();
                    } while (cursor.send(receiver));
                } catch (DamagedSegment damage) {
                    throw blocks.damaged(damage);
                }
                attempt.shuffleRead(block);
            }
        }
    }

    @SuppressWarnings("unchecked") // it compares keys, and is given no others
    private static Iterator<Object> sorted(TaskAttempt attempt, Pipeline.Source source, int partition, Object function)
            throws MissingOutput {
        DataPlane data = attempt.services.data();
        Optional<Comparator<Object>> given = function instanceof Comparator<?> comparator
                ? Optional.of((Comparator<Object>) comparator)
                : Optional.empty();
        PairSorter sorter = new PairSorter(
                new SortServices(attempt.memory(), data::records, data::files, data::sizes, attempt::checkKilled),
                new SortOrder(given, source.descending()),
                "sort of partition " + partition);
        attempt.atEnd(sorter::close);
        each(attempt, source.shuffles().get(0), partition, sorter, sorter.reader());
        return sorter.sorted();
    }
}
