package dev.hearth.engine.internal.dataset;

import dev.hearth.api.RangePartitioner;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.SinkKind;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.serial.Capture;
import dev.hearth.engine.internal.serial.UserObjects;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Keys drawn from a dataset of pairs, each with the number of pairs it stands for. Immutable. */
final class KeySample {
    private static final int KEYS_PER_PARTITION = 2_000; // ranges of equal weight then differ by some percent
    private static final int KEYS_MAX = 1_000_000;

    private final UserObjects objects;
    private final List<Weighed> keys;

    private record Weighed(Object key, double weight) {}

    private KeySample(UserObjects objects, List<Weighed> keys) {
        this.objects = objects;
        this.keys = keys;
    }

    /** Runs a job over {@code from}. */
    static KeySample of(Runner runner, Lineage from, CallSite site, int ranges) {
        int wanted = (int) Math.min(KEYS_MAX, (long) KEYS_PER_PARTITION * ranges);
        int perPartition = Math.max(1, (int) Math.ceil(3.0 * wanted / from.partitions()));
        Action<List<Object[]>> draw = new Action<>(
                from,
                new Pipeline.Sink(SinkKind.SAMPLE, Capture.NONE, StagePlan.RESULT, perPartition),
                IntStream.range(0, from.partitions()).toArray(),
                site,
                Results.keeping(
                        runner.objects(),
                        (values, read) ->
                                Arrays.stream(values).map(Object[].class::cast).toList()));
        List<Weighed> keys = new ArrayList<>();
        for (Object[] drawn : runner.run(draw)) {
            long pairs = (Long) drawn[0];
            for (int i = 1; i < drawn.length; i++) {
                keys.add(new Weighed(drawn[i], (double) pairs / (drawn.length - 1)));
            }
        }
        return new KeySample(runner.objects(), keys);
    }

    /** Ranges of nearly equal weight; fewer when there are not so many keys. */
    Capture ranges(int ranges, Optional<Comparator<Object>> order, boolean descending) {
        List<Object> bounds = new ArrayList<>();
        Comparator<Object> comparing = order.orElseGet(KeySample::natural);
        keys.sort((left, right) -> comparing.compare(left.key(), right.key()));
        double total = keys.stream().mapToDouble(Weighed::weight).sum();
        double passed = 0;
        for (Weighed weighed : keys) {
            passed += weighed.weight();
            boolean full = passed >= total * (bounds.size() + 1) / ranges;
            if (full
                    && bounds.size() < ranges - 1
                    && (bounds.isEmpty() || comparing.compare(bounds.get(bounds.size() - 1), weighed.key()) < 0)) {
                bounds.add(weighed.key());
            }
        }
        return Capture.of(new RangePartitioner<>(bounds, order, descending), objects, "ranges of keys");
    }

    @SuppressWarnings("unchecked") // keys that are no such thing were refused
    private static Comparator<Object> natural() {
        return Comparator.nullsFirst((left, right) -> ((Comparable<Object>) left).compareTo(right));
    }
}
