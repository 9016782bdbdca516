package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Sums numbers by key, twice over one shuffle, {@code args[3]} times or until the file {@code args[4]} exists; prints
 * whether all sums were right. Map tasks, the driver between both jobs, and reduce tasks report to the gate at port
 * {@code args[0]} and wait until it lets them pass; port 0 means no gate. {@code args[1]} and {@code args[2]} are the
 * numbers of map tasks and of reduce tasks.
 */
public final class GatedShuffle {
    private static final int NUMBERS = 20_000; // per map task
    private static final int KEYS = 5_000;

    private GatedShuffle() {}

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        int maps = Integer.parseInt(args[1]);
        int readers = Integer.parseInt(args[2]);
        int rounds = Integer.parseInt(args[3]);
        String stop = args.length > 4 ? args[4] : "";
        int wrong = 0;
        try (HearthContext context =
                HearthContext.builder().name("gated shuffle").open()) {
            for (int round = 0; round < rounds && (stop.isEmpty() || !Files.exists(Path.of(stop))); round++) {
                PairRdd<Integer, Long> sums = sums(context, port, maps, readers);
                wrong += wrong(sums.collectAsMap(), maps);
                pass(port, "between", 0);
                wrong += wrong(
                        sums.mapPartitions(pairs -> {
                                    pass(port, "reduce", 0);
                                    return pairs;
                                })
                                .mapToPair(pair -> pair)
                                .collectAsMap(),
                        maps);
            }
        }
        System.out.println(wrong == 0 ? "right" : wrong + " sums are wrong");
    }

    private static PairRdd<Integer, Long> sums(HearthContext context, int port, int maps, int readers) {
        List<Integer> numbers = IntStream.range(0, maps).boxed().toList();
        return context.parallelize(numbers, maps)
                .flatMap(map -> {
                    pass(port, "map", map);
                    return IntStream.range(0, NUMBERS).boxed().iterator();
                })
                .mapToPair(number -> Pair.of(number % KEYS, (long) number))
                .reduceByKey(Long::sum, readers);
    }

    private static int wrong(Map<Integer, Long> sums, int maps) {
        int wrong = sums.size() == KEYS ? 0 : 1;
        for (int key = 0; key < KEYS; key++) {
            long times = NUMBERS / KEYS;
            long expected = maps * (times * key + KEYS * times * (times - 1) / 2);
            wrong += expected == sums.getOrDefault(key, -1L) ? 0 : 1;
        }
        return wrong;
    }

    /** Public, because serialised functions call it from another class. */
    public static void pass(int port, String who, int number) throws IOException {
        if (port > 0) {
            GatedSum.pass(port, who, number);
        }
    }
}
