package dev.hearth.api;

import dev.hearth.api.function.ReduceFunction;
import dev.hearth.api.function.TaskFunction;
import dev.hearth.api.task.TaskContext;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Merges the values of each key of one partition, for reduceByKeyLocally; the result maps the keys to the merged
 * values.
 */
record LocalReduceFunction<K, V>(ReduceFunction<V> function) implements TaskFunction<Pair<K, V>, Map<K, V>> {
    @Override
    public Map<K, V> apply(TaskContext task, Iterator<Pair<K, V>> pairs) throws Exception {
        Map<K, V> joined = new HashMap<>();
        while (pairs.hasNext()) {
            Pair<K, V> pair = pairs.next();
            add(joined, pair.key(), pair.value(), function);
        }
        return joined;
    }

    static <K, V> Map<K, V> join(List<Map<K, V>> parts, ReduceFunction<V> function) {
        Map<K, V> joined = new HashMap<>();
        try {
            for (Map<K, V> part : parts) {
                for (Map.Entry<K, V> entry : part.entrySet()) {
                    add(joined, entry.getKey(), entry.getValue(), function);
                }
            }
        } catch (RuntimeException thrown) {
            throw thrown;
        } catch (Exception thrown) {
            throw new HearthException("TASK_FAILED", "function given to reduceByKeyLocally: threw " + thrown, thrown);
        }
        return joined;
    }

    private static <K, V> void add(Map<K, V> joined, K key, V value, ReduceFunction<V> function) throws Exception {
        V known = joined.get(key);
        joined.put(key, known == null && !joined.containsKey(key) ? value : function.apply(known, value));
    }
}
