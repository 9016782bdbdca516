package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints the environment of the executor, as Java and as the operating system show it, and with {@code args[0]} being
 * {@code driver} that of the driver too. Ends with a line {@code complete}.
 */
public final class ShowsEnvironment {
    private ShowsEnvironment() {}

    public static void main(String[] args) throws IOException {
        try (HearthContext context = HearthContext.builder().name("environment").open()) {
            if (args[0].equals("driver")) {
                lines("driver").forEach(System.out::println);
            }
            context.parallelize(List.of("task"), 1)
                    .flatMap(who -> lines(who).iterator())
                    .collect()
                    .forEach(System.out::println);
        }
        System.out.println("complete");
    }

    /** Variables of this process, one per line. Public, because serialised functions call it from another class. */
    public static List<String> lines(String who) throws IOException {
        List<String> lines = new ArrayList<>();
        System.getenv().forEach((name, value) -> lines.add(who + " java " + name + "=" + value));
        Path file = Path.of("/proc/self/environ");
        if (Files.isReadable(file)) {
            String all = Files.readString(file, StandardCharsets.ISO_8859_1);
            for (String variable : all.split("\0", -1)) {
                lines.add(who + " system " + variable);
            }
        }
        return lines;
    }
}
