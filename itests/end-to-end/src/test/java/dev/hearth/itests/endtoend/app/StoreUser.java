package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthFiles;
import dev.hearth.api.Rdd;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.IntStream;

/** Writes, reads, checkpoints and attaches files in the directory {@code args[0]}, which may be in any store. */
public final class StoreUser {
    private static final int LINES = 1_000;

    private StoreUser() {}

    public static void main(String[] args) {
        String base = args[0];
        try (HearthContext context = HearthContext.builder().name("store user").open()) {
            context.checkpointDirectory(base + "/checkpoints");
            context.parallelize(IntStream.range(0, LINES).boxed().toList(), 4)
                    .map(number -> "line " + number)
                    .saveAsTextFile(base + "/lines", "gz");
            Rdd<String> lines = context.textFile(base + "/{lines,none}/part-*");
            Rdd<Integer> lengths = lines.map(String::length);
            lengths.checkpoint();
            System.out.println("lines " + lengths.count() + ", checkpointed " + lengths.isCheckpointed());
            System.out.println("characters " + lengths.reduce(Integer::sum));
            context.addFile(base + "/words.txt");
            List<String> words = context.parallelize(List.of(1, 2), 2)
                    .map(task -> Files.readString(HearthFiles.path("words.txt")))
                    .distinct()
                    .collect();
            System.out.println("attached " + words);
        }
    }
}
