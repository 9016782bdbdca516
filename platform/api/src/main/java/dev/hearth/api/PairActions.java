package dev.hearth.api;

import dev.hearth.api.function.ReduceFunction;
import dev.hearth.api.function.TaskFunction;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The actions of {@link PairRdd} that are about keys. */
public interface PairActions<K, V> extends RddActions<Pair<K, V>> {
    /** All pairs in the memory of the caller; of several with one key the last one found stays. <pre>{@code Map<String, Integer> all = counts.collectAsMap();}</pre> */
    Map<K, V> collectAsMap();

    /** As {@link PairRdd#reduceByKey}, in the memory of the caller. <pre>{@code Map<String, Integer> sums = counts.reduceByKeyLocally(Integer::sum);}</pre> */
    default Map<K, V> reduceByKeyLocally(ReduceFunction<V> function) {
        return LocalReduction.join(evaluate(new LocalReduction<K, V>(function)), function);
    }

    /** How many pairs each key has. <pre>{@code Map<String, Long> often = counts.countByKey();}</pre> */
    Map<K, Long> countByKey();

    /** As {@link #countByKey}, as far as it is known after {@code timeout}. <pre>{@code counts.countByKeyApprox(Duration.ofSeconds(1));}</pre> */
    default PartialResult<Map<K, Estimate>> countByKeyApprox(Duration timeout) {
        return countByKeyApprox(timeout, 0.95);
    }

    /** As the other, with a confidence from 0 to 1. <pre>{@code counts.countByKeyApprox(Duration.ofSeconds(1), 0.9);}</pre> */
    default PartialResult<Map<K, Estimate>> countByKeyApprox(Duration timeout, double confidence) {
        TaskFunction<Pair<K, V>, Map<K, Long>> counting = new Tallies.OfKeys<>();
        return approximate(counting, Estimates.counts("countByKeyApprox", confidence), timeout);
    }

    /** The values of one key; where the {@link Rdd#partitioner} is known, one partition is computed for it. <pre>{@code List<Integer> found = counts.lookup("a");}</pre> */
    List<V> lookup(K key);
}
