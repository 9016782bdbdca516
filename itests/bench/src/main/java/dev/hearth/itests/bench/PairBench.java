package dev.hearth.itests.bench;

import dev.hearth.api.HearthContext;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Rdd;
import java.util.Iterator;
import java.util.List;

/** Operations by key over generated records, which are made within the time: W4a to W4d. */
public final class PairBench {
    private final HearthContext context;
    private final BenchArguments arguments;
    private final String variant;
    private final int partitions;

    private PairBench(HearthContext context, BenchArguments arguments) {
        this.context = context;
        this.arguments = arguments;
        this.variant = arguments.text("variant", "local[2]");
        this.partitions = (int) number("parts", 8);
    }

    /** Arguments: {@code client}, then {@code key=value}: work (W4a ...), n, keys, dist, payload, parts, reps, variant. */
    public static void main(String[] words) {
        BenchArguments arguments = BenchArguments.of(words);
        try (HearthContext context = arguments.open("pairs")) {
            PairBench bench = new PairBench(context, arguments);
            for (int repetition = 0; repetition <= bench.arguments.repetitions(); repetition++) {
                String work = bench.arguments.text("work", "W4a");
                switch (work) {
                    case "W4a" -> bench.reduce(repetition);
                    case "W4b" -> bench.group(repetition);
                    case "W4c" -> bench.sort(repetition);
                    case "W4d" -> bench.join(repetition);
                    default -> throw new IllegalArgumentException("work " + work + " (expected: W4a, W4b, W4c or W4d)");
                }
            }
        }
    }

    private void reduce(int repetition) {
        long count = number("n", 20_000_000);
        int keys = (int) number("keys", 1_000_000);
        String distribution = arguments.text("dist", "uniform");
        Meter meter = new Meter();
        PairRdd<Integer, Integer> pairs = pairs(count, () -> {
            GeneratedData.Keys made = new GeneratedData.Keys(distribution, keys, 4);
            return index -> Pair.of(made.at(index), 1);
        });
        long[] sums = fold(pairs.reduceByKey(Integer::sum, partitions).mapPartitions(PairBench::reduced));
        report(
                meter,
                "W4a",
                "reduceByKey;n=" + count + ";keys=" + keys + ";dist=" + distribution,
                repetition,
                count,
                sums);
    }

    private static Iterator<long[]> reduced(Iterator<Pair<Integer, Integer>> pairs) {
        long[] sums = new long[2];
        while (pairs.hasNext()) {
            Pair<Integer, Integer> pair = pairs.next();
            sums[0]++;
            sums[1] += GeneratedData.mix(pair.key() + ((long) pair.value() << 32));
        }
        return List.of(sums).iterator();
    }

    private void group(int repetition) {
        long count = number("n", 5_000_000);
        int keys = (int) number("keys", 500_000);
        Meter meter = new Meter();
        PairRdd<Integer, Integer> pairs = pairs(count, () -> {
            GeneratedData.Keys made = new GeneratedData.Keys("uniform", keys, 8);
            return index -> Pair.of(made.at(index), (int) index);
        });
        long[] sums = fold(pairs.groupByKey(partitions).mapPartitions(PairBench::grouped));
        report(meter, "W4b", "groupByKey;n=" + count + ";keys=" + keys, repetition, count, sums);
    }

    private static Iterator<long[]> grouped(Iterator<Pair<Integer, List<Integer>>> groups) {
        long[] sums = new long[2];
        while (groups.hasNext()) {
            Pair<Integer, List<Integer>> group = groups.next();
            long sum = 0;
            long size = 0;
            for (int value : group.value()) {
                sum += value;
                size++;
            }
            sums[0]++;
            sums[1] += GeneratedData.mix(group.key() * 0x1F3D5B79L + GeneratedData.mix(sum) + size);
        }
        return List.of(sums).iterator();
    }

    private void sort(int repetition) {
        long count = number("n", 10_000_000);
        int payload = (int) number("payload", 90);
        Meter meter = new Meter();
        PairRdd<Long, byte[]> pairs = pairs(
                count, () -> index -> Pair.of(GeneratedData.random(9, index), GeneratedData.payload(index, payload)));
        List<long[]> found = pairs.sortByKey(true, partitions)
                .mapPartitions(PairBench::sorted)
                .collect();
        long[] sums = new long[2];
        long last = Long.MIN_VALUE;
        for (long[] partition : found) {
            if (partition[0] > 0) {
                expectOrder(last, partition[2]);
                last = partition[3];
                sums[0] += partition[0];
                sums[1] += partition[1];
            }
        }
        report(meter, "W4c", "sortByKey;n=" + count + ";payload=" + payload, repetition, count, sums);
    }

    /** How many, their checksum, the first and the last key. */
    private static Iterator<long[]> sorted(Iterator<Pair<Long, byte[]>> pairs) {
        long[] found = new long[4];
        while (pairs.hasNext()) {
            Pair<Long, byte[]> pair = pairs.next();
            long key = pair.key();
            if (found[0] == 0) {
                found[2] = key;
            } else {
                expectOrder(found[3], key);
            }
            found[3] = key;
            found[0]++;
            found[1] += GeneratedData.checksum(key, pair.value());
        }
        return List.of(found).iterator();
    }

    private static void expectOrder(long before, long after) {
        if (after < before) {
            throw new IllegalStateException("keys: " + after + " after " + before + " (expected: in order)");
        }
    }

    private void join(int repetition) {
        long count = number("n", 5_000_000);
        Meter meter = new Meter();
        PairRdd<Integer, Integer> left =
                pairs(count, () -> index -> Pair.of(GeneratedData.left(index, count), (int) index));
        PairRdd<Integer, Integer> right =
                pairs(count, () -> index -> Pair.of(GeneratedData.right(index, count), (int) index));
        long[] sums = fold(left.join(right, partitions).mapPartitions(PairBench::joined));
        report(meter, "W4d", "join;n=" + count + "x" + count, repetition, 2 * count, sums);
    }

    private static Iterator<long[]> joined(Iterator<Pair<Integer, Pair<Integer, Integer>>> pairs) {
        long[] sums = new long[2];
        while (pairs.hasNext()) {
            Pair<Integer, Pair<Integer, Integer>> pair = pairs.next();
            sums[0]++;
            sums[1] += GeneratedData.mix(pair.key()
                    + GeneratedData.mix(
                            pair.value().key() + GeneratedData.mix(pair.value().value())));
        }
        return List.of(sums).iterator();
    }

    private <K, V> PairRdd<K, V> pairs(long count, GeneratedElements.Making<Pair<K, V>> making) {
        return GeneratedElements.dataset(context, count, partitions, making).mapToPair(pair -> pair);
    }

    private static long[] fold(Rdd<long[]> parts) {
        long[] sums = new long[2];
        for (long[] part : parts.collect()) {
            sums[0] += part[0];
            sums[1] += part[1];
        }
        return sums;
    }

    private void report(Meter meter, String name, String work, int repetition, long amount, long[] sums) {
        String types = name.equals("W4c") ? "Pair(Long byte[])" : "Pair(Integer Integer)";
        String contents = Meter.contents(types, "generation+shuffle+checksum of the result");
        meter.report(
                name,
                work + ";parts=" + partitions + "|" + variant,
                repetition,
                amount,
                "rec/s",
                "n=" + sums[0] + ";chk=" + Long.toHexString(sums[1]) + ";" + contents);
    }

    private long number(String key, long otherwise) {
        return Long.parseLong(arguments.text(key, String.valueOf(otherwise)));
    }
}
