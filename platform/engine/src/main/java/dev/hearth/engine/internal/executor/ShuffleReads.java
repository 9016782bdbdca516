package dev.hearth.engine.internal.executor;

import dev.hearth.api.Pair;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.SourceKind;
import dev.hearth.engine.internal.shuffle.MissingOutput;
import dev.hearth.engine.internal.shuffle.ShuffleBlock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Brings together what all map tasks have for one reader, by key, in the order of their first appearance. No state of its own. */
final class ShuffleReads {
    private ShuffleReads() {}

    @SuppressWarnings("unchecked") // the compiler checked the types where the shuffle was written
    static Iterator<?> read(TaskAttempt attempt, Pipeline.Source source, Object function) throws MissingOutput {
        List<ShuffleBlock> blocks = ShuffleWrites.memory(attempt).read(source.shuffle(), attempt.partition());
        Map<@Nullable Object, @Nullable Object> byKey = new LinkedHashMap<>();
        boolean grouped = source.kind() == SourceKind.GROUPED;
        for (ShuffleBlock block : blocks) {
            @Nullable Object[] records = TaskSources.array(attempt, block.content(), "shuffled records of partition ");
            attempt.shuffleReadBytes += block.bytes();
            attempt.shuffleReadRecords += block.records();
            for (int i = 0; i < records.length; i += 2) {
                attempt.checkKilled();
                if (grouped) {
                    group(byKey, records[i], records[i + 1]);
                } else {
                    join(byKey, records[i], records[i + 1], (ReduceFunction<Object>) function);
                }
            }
        }
        attempt.recordsRead += attempt.shuffleReadRecords;
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
