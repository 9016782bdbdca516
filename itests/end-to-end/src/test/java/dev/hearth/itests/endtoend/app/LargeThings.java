package dev.hearth.itests.endtoend.app;

import dev.hearth.api.Broadcast;
import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Random;

/** Moves large data between a driver and its executors: a broadcast value, results, files. Prints the outcomes. */
public final class LargeThings {
    private static final int MEBIBYTE = 1024 * 1024;
    private static final List<Integer> TASKS = List.of(0, 1, 2, 3);

    private LargeThings() {}

    public static void main(String[] arguments) {
        try (HearthContext context = HearthContext.builder().open()) {
            switch (arguments[0]) {
                case "broadcast" -> broadcast(context, Integer.parseInt(arguments[1]));
                case "results" -> results(context, Integer.parseInt(arguments[1]));
                case "files" -> files(context, arguments[1], arguments[2]);
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        }
    }

    private static long sum(byte[] bytes) {
        long sum = 0;
        for (byte one : bytes) {
            sum += one;
        }
        return sum;
    }

    private static byte[] random(int seed, int mebibytes) {
        byte[] bytes = new byte[mebibytes * MEBIBYTE];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static void broadcast(HearthContext context, int mebibytes) {
        byte[] value = random(1, mebibytes);
        Broadcast<byte[]> shared = context.broadcast(value);
        List<Long> sums = context.parallelize(TASKS, TASKS.size())
                .map(task -> sum(shared.value()))
                .distinct()
                .collect();
        shared.destroy();
        System.out.println(sums.equals(List.of(sum(value))) ? "the same" : "another one");
    }

    private static void results(HearthContext context, int mebibytes) {
        List<byte[]> results = context.parallelize(TASKS, TASKS.size())
                .map(task -> random(task, mebibytes))
                .collect();
        for (int task : TASKS) {
            System.out.println(sum(results.get(task)) == sum(random(task, mebibytes)) ? "the same" : "another one");
        }
    }

    private static void files(HearthContext context, String file, String archive) {
        context.addFile(file);
        context.addArchive(archive + "#unpacked");
        List<String> found = context.parallelize(TASKS, TASKS.size())
                .map(task -> read("note.txt") + " " + read("unpacked/inside.txt"))
                .distinct()
                .collect();
        System.out.println(String.join(",", found));
    }

    private static String read(String name) {
        try {
            int slash = name.indexOf('/');
            return Files.readString(
                    slash < 0
                            ? HearthFiles.path(name)
                            : HearthFiles.path(name.substring(0, slash)).resolve(name.substring(slash + 1)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
