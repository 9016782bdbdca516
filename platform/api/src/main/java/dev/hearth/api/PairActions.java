package dev.hearth.api;

import dev.hearth.api.function.ReduceFunction;
import dev.hearth.api.function.TaskFunction;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The actions of {@link PairRdd} that use the keys of pairs, beside the actions of every dataset. */
public interface PairActions<K, V> extends RddActions<Pair<K, V>> {
    /**
     * Collects all pairs into a map on the driver; for duplicate keys the last value wins.
     * <pre>{@code Map<String, Integer> all = counts.collectAsMap();}</pre>
     */
    Map<K, V> collectAsMap();

    /**
     * Merges the values of each key, as {@link PairRdd#reduceByKey}, into a map on the driver.
     * <pre>{@code Map<String, Integer> sums = counts.reduceByKeyLocally(Integer::sum);}</pre>
     */
    default Map<K, V> reduceByKeyLocally(ReduceFunction<V> function) {
        return LocalReduceFunction.join(evaluate(new LocalReduceFunction<K, V>(function)), function);
    }

    /** Counts the pairs of each key. <pre>{@code Map<String, Long> often = counts.countByKey();}</pre> */
    Map<K, Long> countByKey();

    /**
     * As {@link #countByKey}, estimated from the tasks that finish within {@code timeout}, with confidence 0.95.
     * <pre>{@code counts.countByKeyApprox(Duration.ofSeconds(1));}</pre>
     */
    default PartialResult<Map<K, Estimate>> countByKeyApprox(Duration timeout) {
        return countByKeyApprox(timeout, 0.95);
    }

    /**
     * As {@link #countByKeyApprox(Duration)}, with {@code confidence} from 0 to 1 instead of 0.95.
     * <pre>{@code counts.countByKeyApprox(Duration.ofSeconds(1), 0.9);}</pre>
     */
    default PartialResult<Map<K, Estimate>> countByKeyApprox(Duration timeout, double confidence) {
        TaskFunction<Pair<K, V>, Map<K, Long>> counting = new CountByValueFunction.OfKeys<>();
        return approximate(counting, BoundedEstimates.counts("countByKeyApprox", confidence), timeout);
    }

    /**
     * The values of one key; with a known {@link Rdd#partitioner} only the partition of the key is computed.
     * <pre>{@code List<Integer> found = counts.lookup("a");}</pre>
     */
    List<V> lookup(K key);
}
