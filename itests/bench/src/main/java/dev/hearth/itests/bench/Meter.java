package dev.hearth.itests.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * The time of one repetition and, from /proc, the processor time of all processes that carry the bench's token, the
 * memory they hold, and what the rest of the machine took meanwhile: which shows how far to trust the time.
 */
final class Meter {
    private static final String TOKEN = "-Dbench.token";
    private static final double JIFFIES_PER_SECOND = 100;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long PAGES_PER_MEBIBYTE = 256;
    private static final double SECONDS_MIN = 0.01;

    private final Snapshot before = Snapshot.take();
    private final long startedNanos = System.nanoTime();

    /** Ends the measuring: prints the line of one repetition that did {@code amount} of {@code unit}. */
    void report(String workload, String work, int repetition, long amount, String unit, String extra) {
        report(workload, work, repetition, amount, unit, () -> extra);
    }

    /** The same, with further fields that are computed after the end of the measuring. */
    void report(
            String workload, String work, int repetition, long amount, String unit, Supplier<String> fieldsAfterwards) {
        double seconds = (System.nanoTime() - startedNanos) / NANOS_PER_SECOND;
        Snapshot after = Snapshot.take();
        double bound = Math.max(seconds, SECONDS_MIN);
        long own = after.own - before.own;
        String extra = fieldsAfterwards.get();
        System.out.println(String.format(
                Locale.ROOT,
                "%s,%s,%.6f,%.1f,%s,rep=%d;cpu=%.2f;foreign=%.2f;steal=%.2f;rss_mb=%d%s",
                workload,
                work,
                seconds,
                amount / seconds,
                unit,
                repetition,
                own / JIFFIES_PER_SECOND,
                Math.max(0, after.busy - before.busy - own) / JIFFIES_PER_SECOND / bound,
                (after.stolen - before.stolen) / JIFFIES_PER_SECOND / bound,
                after.ownPages / PAGES_PER_MEBIBYTE,
                extra.isEmpty() ? "" : ";" + extra));
        System.out.flush();
    }

    /** Fields of a result line: the types of the elements, and the steps that the time contains. No commas or semicolons. */
    static String contents(String types, String steps) {
        return "types=" + types + ";time=" + steps;
    }

    /** Jiffies of the machine, stolen from it, of our processes; and the pages these hold. */
    private record Snapshot(long busy, long stolen, long own, long ownPages) {
        static Snapshot take() {
            try {
                String[] machine =
                        Files.readAllLines(Path.of("/proc/stat")).get(0).trim().split(" +");
                long busy = sum(machine, 1, 2, 3, 6, 7);
                long own = 0;
                long pages = 0;
                try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
                    for (Path process : processes) {
                        String[] fields = ofBench(process);
                        own += sum(fields, 11, 12);
                        pages += sum(fields, 21);
                    }
                }
                return new Snapshot(busy, Long.parseLong(machine[8]), own, pages);
            } catch (IOException failure) {
                throw new UncheckedIOException("/proc: cannot be read (expected: Linux)", failure);
            }
        }

        /** The fields after the name of a process of the bench; none of any other, or of one that is gone. */
        private static String[] ofBench(Path process) {
            try {
                String command =
                        new String(Files.readAllBytes(process.resolve("cmdline")), StandardCharsets.ISO_8859_1);
                if (!command.contains(TOKEN)) {
                    return new String[0];
                }
                String status = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
                return status.substring(status.lastIndexOf(')') + 2).split(" ");
            } catch (IOException gone) { // it ended between the listing and the look
                return new String[0];
            }
        }

        private static long sum(String[] fields, int... indexes) {
            long sum = 0;
            for (int index : indexes) {
                sum += index < fields.length ? Long.parseLong(fields[index]) : 0;
            }
            return sum;
        }
    }
}
