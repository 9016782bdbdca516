package dev.hearth.itests.bench;

import dev.hearth.api.HearthContext;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Sorts or groups records of 100 bytes that are far more than the heap, and reports time and the highest resident memory. The
 * result is checked: all records, in order, or in the right groups.
 */
public final class SpillBench {
    private static final int KEY_BYTES = 8;
    private static final int GROUP_STREAM = 21;

    private SpillBench() {}

    /** Arguments: {@code client}, then {@code key=value}: work (sort or group), n, bytes, keys, parts, reps. */
    public static void main(String[] words) throws IOException {
        BenchArguments arguments = BenchArguments.of(words);
        long count = Long.parseLong(arguments.text("n", "40000000"));
        int payload = Integer.parseInt(arguments.text("bytes", "100")) - KEY_BYTES;
        int partitions = Integer.parseInt(arguments.text("parts", "8"));
        int keys = Integer.parseInt(arguments.text("keys", "400000"));
        boolean sorting = arguments.text("work", "sort").equals("sort");
        try (HearthContext context =
                HearthContext.builder().name("spilling").master("local[2]").open()) {
            for (int repetition = 0; repetition <= arguments.repetitions(); repetition++) {
                Meter meter = new Meter();
                PairRdd<Long, byte[]> records = GeneratedElements.<Pair<Long, byte[]>>dataset(
                                context,
                                count,
                                partitions,
                                () -> index -> Pair.of(
                                        sorting
                                                ? GeneratedData.random(9, index)
                                                : (long) GeneratedData.uniform(GROUP_STREAM, index, keys),
                                        GeneratedData.payload(index, payload)))
                        .mapToPair(pair -> pair);
                long found = sorting ? sorted(records, partitions) : grouped(records, partitions);
                if (found != count) {
                    throw new IllegalStateException("records: " + found + " (expected: " + count + ")");
                }
                meter.report(
                        "spill",
                        (sorting ? "sort" : "group") + ";n=" + count + "|"
                                + Runtime.getRuntime().maxMemory() / (1 << 20) + "m",
                        repetition,
                        count,
                        "rec/s",
                        String.format(Locale.ROOT, "hwm_mb=%d;", highest())
                                + Meter.contents("Pair(Long byte[])", "generation+shuffle+check of the result"));
            }
        }
    }

    private static long sorted(PairRdd<Long, byte[]> records, int partitions) {
        return records.sortByKey(true, partitions)
                .mapPartitions(pairs -> {
                    long found = 0;
                    long last = Long.MIN_VALUE;
                    while (pairs.hasNext()) {
                        long key = pairs.next().key();
                        if (key < last) {
                            throw new IllegalStateException("keys: " + key + " after " + last);
                        }
                        last = key;
                        found++;
                    }
                    return List.of(found).iterator();
                })
                .reduce(Long::sum);
    }

    private static long grouped(PairRdd<Long, byte[]> records, int partitions) {
        return records.groupByKey(partitions)
                .mapPartitions(groups -> {
                    long found = 0;
                    while (groups.hasNext()) {
                        found += groups.next().value().size();
                    }
                    return List.of(found).iterator();
                })
                .reduce(Long::sum);
    }

    private static long highest() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 10)
                    .findFirst()
                    .orElse(0);
        }
    }
}
