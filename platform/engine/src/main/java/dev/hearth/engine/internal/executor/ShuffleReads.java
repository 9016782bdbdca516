package dev.hearth.engine.internal.executor;

import dev.hearth.api.Pair;
import dev.hearth.api.function.Combiner;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.engine.internal.disk.DamagedSegment;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.record.RecordFormat;
import dev.hearth.engine.internal.shuffle.LateReader;
import dev.hearth.engine.internal.shuffle.MissingOutput;
import dev.hearth.engine.internal.shuffle.PairBlock;
import dev.hearth.engine.internal.shuffle.PairReceiver;
import dev.hearth.engine.internal.shuffle.ShuffleStore;
import dev.hearth.engine.internal.sort.PairSorter;
import dev.hearth.engine.internal.sort.SortOrder;
import dev.hearth.engine.internal.sort.SortServices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Brings together what all map tasks have for one reader, by key, in the order of their first appearance. No state of its own. */
final class ShuffleReads {
    private ShuffleReads() {}

    @SuppressWarnings("unchecked") // the compiler checked the types where the shuffle was written
    static Iterator<?> read(TaskAttempt attempt, Pipeline.Source source, Object function) throws MissingOutput {
        return switch (source.kind()) {
            case GROUPED -> entries(attempt, byKey(attempt, source, 0, ShuffleReads::group));
            case REDUCED ->
                entries(
                        attempt,
                        byKey(
                                attempt,
                                source,
                                0,
                                (map, key, value) -> join(map, key, value, (ReduceFunction<Object>) function)));
            case COMBINED -> {
                Combiner<Object, Object> combiner = (Combiner<Object, Object>) function;
                yield entries(
                        attempt, byKey(attempt, source, 0, (map, key, value) -> join(map, key, value, combiner::join)));
            }
            case PAIRS -> new ShuffledPairs(attempt, source.shuffles().get(0));
            case SORTED -> sorted(attempt, source, function);
            case COGROUPED -> cogrouped(attempt, source).iterator();
            case JOINED ->
                cogrouped(attempt, source).stream()
                        .flatMap(ShuffleReads::joined)
                        .iterator();
            case INPUT, TEXT, WHOLE_TEXT, BINARY, OBJECTS, FIXED_RECORDS ->
                throw new IllegalStateException("source " + source.kind() + ": reads no shuffle");
        };
    }

    /** Adds a value to what is there under its key. */
    private interface Adding {
        void add(Map<@Nullable Object, @Nullable Object> byKey, @Nullable Object key, @Nullable Object value);
    }

    private static Map<@Nullable Object, @Nullable Object> byKey(
            TaskAttempt attempt, Pipeline.Source source, int side, Adding adding) throws MissingOutput {
        Map<@Nullable Object, @Nullable Object> byKey = new LinkedHashMap<>();
        each(attempt, source.shuffles().get(side), (key, value) -> adding.add(byKey, key, value));
        return byKey;
    }

    /** Hands all pairs of a shuffle for this task to {@code receiver}; damaged output is given up, to be made again. */
    static void each(TaskAttempt attempt, int shuffle, PairReceiver receiver) throws MissingOutput {
        each(attempt, shuffle, receiver, new LateReader(attempt.services.data()::records));
    }

    private static void each(TaskAttempt attempt, int shuffle, PairReceiver receiver, RecordFormat.Reader reader)
            throws MissingOutput {
        ShuffleStore store = attempt.services.data().shuffles();
        for (PairBlock block : store.read(shuffle, attempt.partition())) {
            try (PairBlock.Cursor cursor = block.open(reader)) {
                do {
                    attempt.checkKilled();
                } while (cursor.send(receiver));
            } catch (DamagedSegment damage) {
                throw store.damaged(block, damage);
            }
            attempt.shuffleRead(block);
        }
    }

    private static List<Pair<?, ?>> pairs(TaskAttempt attempt, Pipeline.Source source) throws MissingOutput {
        List<Pair<?, ?>> pairs = new ArrayList<>();
        each(attempt, source.shuffles().get(0), (key, value) -> pairs.add(new Pair<>(key, value)));
        return pairs;
    }

    @SuppressWarnings("unchecked") // it compares keys, and is given no others
    private static Iterator<Object> sorted(TaskAttempt attempt, Pipeline.Source source, Object function)
            throws MissingOutput {
        DataPlane data = attempt.services.data();
        Optional<Comparator<Object>> given = function instanceof Comparator<?> comparator
                ? Optional.of((Comparator<Object>) comparator)
                : Optional.empty();
        PairSorter sorter = new PairSorter(
                new SortServices(attempt.memory(), data::records, data::files, data::sizes, attempt::checkKilled),
                new SortOrder(given, source.descending()),
                "sort of partition " + attempt.partition());
        attempt.atEnd(sorter::close);
        each(attempt, source.shuffles().get(0), sorter, sorter.reader());
        return sorter.sorted();
    }

    private static List<Pair<?, ?>> cogrouped(TaskAttempt attempt, Pipeline.Source source) throws MissingOutput {
        int sides = source.shuffles().size();
        Map<@Nullable Object, List<@Nullable Object>[]> byKey = new LinkedHashMap<>();
        for (int side = 0; side < sides; side++) {
            int at = side;
            each(
                    attempt,
                    source.shuffles().get(side),
                    (key, value) -> byKey.computeIfAbsent(key, missing -> lists(sides))[at].add(value));
        }
        List<Pair<?, ?>> found = new ArrayList<>();
        byKey.forEach((key, lists) -> found.add(new Pair<>(key, lists)));
        return found;
    }

    @SuppressWarnings("unchecked") // an array of lists
    private static List<@Nullable Object>[] lists(int sides) {
        List<@Nullable Object>[] lists = (List<@Nullable Object>[]) new List<?>[sides];
        Arrays.setAll(lists, side -> new ArrayList<>());
        return lists;
    }

    private static Stream<Pair<?, ?>> joined(Pair<?, ?> cogroup) {
        List<?>[] lists = (List<?>[]) cogroup.value();
        return lists[0].stream()
                .flatMap(left -> lists[1].stream().map(right -> new Pair<>(cogroup.key(), new Pair<>(left, right))));
    }

    private static Iterator<?> entries(TaskAttempt attempt, Map<@Nullable Object, @Nullable Object> byKey) {
        return new Entries(byKey.entrySet().iterator(), attempt);
    }

    @SuppressWarnings("unchecked") // lists are all that is put there
    private static void group(
            Map<@Nullable Object, @Nullable Object> byKey, @Nullable Object key, @Nullable Object value) {
        List<@Nullable Object> values = (List<@Nullable Object>) byKey.get(key);
        if (values == null) {
            values = new ArrayList<>();
            byKey.put(key, values);
        }
        values.add(value);
    }

    /** Joins {@code value} with what is there under the key. */
    static void join(
            Map<@Nullable Object, @Nullable Object> byKey,
            @Nullable Object key,
            @Nullable Object value,
            ReduceFunction<Object> function) {
        Object known = byKey.get(key);
        if (known == null && !byKey.containsKey(key)) {
            byKey.put(key, value);
            return;
        }
        try {
            byKey.put(key, function.apply(known, value));
        } catch (Exception thrown) {
            throw Thrown.unchecked(thrown);
        }
    }

    /** Hands out pairs, and ends when the attempt is told to. */
    private static final class Entries implements Iterator<Object> {
        private final Iterator<Map.Entry<@Nullable Object, @Nullable Object>> entries;
        private final TaskAttempt attempt;

        Entries(Iterator<Map.Entry<@Nullable Object, @Nullable Object>> entries, TaskAttempt attempt) {
            this.entries = entries;
            this.attempt = attempt;
        }

        @Override
        public boolean hasNext() {
            return entries.hasNext();
        }

        @Override
        public Object next() {
            attempt.checkKilled();
            Map.Entry<@Nullable Object, @Nullable Object> entry = entries.next();
            return new Pair<>(entry.getKey(), entry.getValue());
        }

        @Override
        public void forEachRemaining(Consumer<? super Object> action) {
            while (entries.hasNext()) {
                action.accept(next());
            }
        }
    }
}
