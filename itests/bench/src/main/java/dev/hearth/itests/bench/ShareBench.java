package dev.hearth.itests.bench;

import dev.hearth.api.Broadcast;
import dev.hearth.api.HearthContext;
import dev.hearth.api.accumulator.Accumulator;
import java.util.List;
import java.util.Random;

/** A large value that tasks read, and an accumulator that they add to: W6. */
public final class ShareBench {
    private static final long SEED = 0x5EEDBA5EL;
    private static final String BROADCAST = Meter.contents("byte[]", "broadcast+one task that sums all bytes");
    private static final String ADDS = Meter.contents("long", "one job of two tasks that add");

    private ShareBench() {}

    /** Arguments: {@code client}, then {@code key=value}: mb, adds, reps, variant. */
    public static void main(String[] words) {
        BenchArguments arguments = BenchArguments.of(words);
        int mebibytes = Integer.parseInt(arguments.text("mb", "100"));
        long adds = Long.parseLong(arguments.text("adds", "10000000"));
        String variant = "|" + arguments.text("variant", "local[2]");
        byte[] large = new byte[mebibytes << 20];
        new Random(SEED).nextBytes(large);
        try (HearthContext context = arguments.open("sharing")) {
            for (int repetition = 0; repetition <= arguments.repetitions(); repetition++) {
                broadcast(context, large, repetition, "broadcast;mb=" + mebibytes + variant);
            }
            for (int repetition = 0; repetition <= arguments.repetitions(); repetition++) {
                accumulate(context, adds, repetition, "accumulator;adds=" + adds + variant);
            }
        }
    }

    private static void broadcast(HearthContext context, byte[] large, int repetition, String work) {
        Meter meter = new Meter();
        Broadcast<byte[]> shared = context.broadcast(large);
        long found = context.parallelize(List.of(1), 1)
                .map(element -> sum(shared.value()))
                .first();
        meter.report("W6a", work, repetition, large.length >> 20, "MB/s", BROADCAST);
        expect(sum(large), found);
        shared.destroy();
    }

    private static long sum(byte[] bytes) {
        long sum = 0;
        for (byte each : bytes) {
            sum += each;
        }
        return sum;
    }

    private static void accumulate(HearthContext context, long adds, int repetition, String work) {
        Accumulator<Long, Long> sum = context.longAccumulator("adds");
        long half = adds / 2;
        Meter meter = new Meter();
        context.parallelize(List.of(0, 1), 2).foreach(element -> {
            for (long i = 0; i < half; i++) {
                sum.add(1L);
            }
        });
        meter.report("W6b", work, repetition, adds, "add/s", ADDS);
        expect(half * 2, sum.value());
    }

    private static void expect(long expected, long found) {
        if (found != expected) {
            throw new IllegalStateException("sum: " + found + " (expected: " + expected + ")");
        }
    }
}
