package dev.hearth.api;

import dev.hearth.api.function.TaskFunction;
import dev.hearth.api.task.TaskContext;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/** Counts, for each distinct element of a partition, how often it occurs there. */
record CountByValueFunction<T>() implements TaskFunction<T, Map<T, Long>> {
    @Override
    public Map<T, Long> apply(TaskContext task, Iterator<T> elements) {
        Map<T, Long> counts = new HashMap<>();
        elements.forEachRemaining(element -> counts.merge(element, 1L, Long::sum));
        return counts;
    }

    /** Counts, for each key, the pairs of one partition that have this key. */
    record OfKeys<K, V>() implements TaskFunction<Pair<K, V>, Map<K, Long>> {
        @Override
        public Map<K, Long> apply(TaskContext task, Iterator<Pair<K, V>> pairs) {
            Map<K, Long> counts = new HashMap<>();
            pairs.forEachRemaining(pair -> counts.merge(pair.key(), 1L, Long::sum));
            return counts;
        }
    }
}
