package dev.hearth.engine.internal.dataset;

import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.function.MapFunction;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.engine.internal.plan.StepKind;
import dev.hearth.engine.internal.serial.Capture;
import dev.hearth.spi.error.ErrorCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A dataset of keys and values. Immutable. */
final class PlannedPairs<K, V> extends PlannedRdd<Pair<K, V>> implements PairRdd<K, V> {
    PlannedPairs(Runner runner, Lineage lineage, String name) {
        super(runner, lineage, name);
    }

    @Override
    public PairRdd<K, V> named(String given) {
        return new PlannedPairs<>(runner(), lineage(), given);
    }

    @Override
    public PairRdd<K, V> reduceByKey(ReduceFunction<V> function, int partitions) {
        return new PlannedPairs<>(
                runner(), shuffled("reduceByKey", partitions, Optional.of(capture(function, "reduceByKey"))), "");
    }

    @Override
    public PairRdd<K, List<V>> groupByKey(int partitions) {
        runner().refuseTasks("groupByKey");
        return new PlannedPairs<>(runner(), shuffled("groupByKey", partitions, Optional.empty()), "");
    }

    @Override
    public <W> PairRdd<K, W> mapValues(MapFunction<? super V, ? extends W> function) {
        return new PlannedPairs<>(runner(), then(StepKind.MAP_VALUES, function, "mapValues"), "");
    }

    @Override
    public Map<K, V> collectAsMap() {
        Map<K, V> found = new LinkedHashMap<>();
        runner().run(actions("collectAsMap").collecting()).forEach(pair -> found.put(pair.key(), pair.value()));
        return found;
    }

    private Lineage shuffled(String operation, int partitions, Optional<Capture> join) {
        if (partitions < 1) {
            throw ErrorCode.BAD_ARGUMENT.failure(operation + ": " + partitions + " partitions (expected: 1 or more)");
        }
        int shuffle = runner().nextShuffle();
        Lineage shuffled = new Lineage.Shuffled(runner().nextDataset(), lineage(), shuffle, partitions, join);
        runner().watch(shuffled, shuffle);
        return shuffled;
    }
}
