package dev.hearth.itests.bench;

import dev.hearth.api.HearthContext;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;

/** A dataset that is kept: filled and counted, counted again, one field summed up: W5. */
public final class KeepBench {
    private KeepBench() {}

    /** One record. A class with mutable fields, as applications have them. */
    public static final class Measurement implements Serializable {
        private static final long serialVersionUID = 1L;

        private final int id;
        private final long time;
        private double value;

        Measurement(int id, long time, double value) {
            this.id = id;
            this.time = time;
            this.value = value;
        }

        double value() {
            return value;
        }

        void change(double changed) {
            value = changed;
        }

        @Override
        public String toString() {
            return id + " at " + time + ": " + value;
        }
    }

    /** Arguments: {@code client}, then {@code key=value}: n, parts, level, reps, variant. */
    public static void main(String[] words) {
        BenchArguments arguments = BenchArguments.of(words);
        long count = Long.parseLong(arguments.text("n", "10000000"));
        int partitions = Integer.parseInt(arguments.text("parts", "8"));
        StorageLevel level = StorageLevel.valueOf(arguments.text("level", "MEMORY_ONLY"));
        String work = ";n=" + count + ";parts=" + partitions + ";level=" + level + "|"
                + arguments.text("variant", "local[2]");
        try (HearthContext context = arguments.open("keeping")) {
            for (int repetition = 0; repetition <= arguments.repetitions(); repetition++) {
                Rdd<Measurement> dataset = GeneratedElements.dataset(
                                context,
                                count,
                                partitions,
                                () -> index -> new Measurement(
                                        (int) index,
                                        GeneratedData.random(11, index),
                                        GeneratedData.fraction(12, index)))
                        .persist(level);
                Meter filling = new Meter();
                expect(count, dataset.count());
                filling.report(
                        "W5a", "cache-fill" + work, repetition, count, "rec/s", contents("generation+caching+count"));
                Meter counting = new Meter();
                expect(count, dataset.count());
                counting.report(
                        "W5b", "cache-count" + work, repetition, count, "rec/s", contents("count of the cached"));
                Meter scanning = new Meter();
                double sum = sum(dataset);
                scanning.report(
                        "W5c",
                        "cache-scan" + work,
                        repetition,
                        count,
                        "rec/s",
                        String.format(Locale.ROOT, "chk=%.3f;", sum) + contents("sum of one field of the cached"));
                dataset.unpersist(true);
            }
        }
    }

    private static String contents(String steps) {
        return Meter.contents("Measurement(int long double)", steps);
    }

    private static double sum(Rdd<Measurement> dataset) {
        return dataset.mapPartitions(elements -> {
                    double sum = 0;
                    while (elements.hasNext()) {
                        sum += elements.next().value();
                    }
                    return List.of(sum).iterator();
                })
                .reduce(Double::sum);
    }

    private static void expect(long expected, long found) {
        if (found != expected) {
            throw new IllegalStateException("elements: " + found + " (expected: " + expected + ")");
        }
    }
}
