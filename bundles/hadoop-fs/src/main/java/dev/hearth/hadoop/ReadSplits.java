package dev.hearth.hadoop;

import dev.hearth.api.Pair;
import dev.hearth.api.function.PartitionFunction;
import dev.hearth.api.task.TaskContext;
import java.util.Iterator;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * Reads the one split of each partition; {@code function}, if given, turns its records into other elements. Runs in
 * tasks.
 */
record ReadSplits<K, V, R>(FormatInput<K, V> source, ReadRules rules, SplitFunction<K, V, R> function)
        implements PartitionFunction<SplitBytes, R> {
    /** Function that returns the records themselves. */
    record Same<K, V>() implements SplitFunction<K, V, Pair<K, V>> {
        @Override
        public Iterator<Pair<K, V>> apply(Object split, Iterator<Pair<K, V>> records) {
            return records;
        }
    }

    @Override
    public Iterator<? extends R> apply(Iterator<SplitBytes> elements) throws Exception {
        Optional<SplitBytes> bytes = elements.hasNext() ? Optional.of(elements.next()) : Optional.empty();
        Configuration configuration = source.configuration();
        Object split = bytes.orElseThrow().split(configuration);
        return function.apply(split, new SplitIterator<>(source, rules, split, configuration, TaskContext.current()));
    }
}
