package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Prints where the driver and an executor run, by which path they see their directories, and whether each process was
 * prestarted. Each of them leaves a file {@code left.txt}, once by its relative and once by its absolute path.
 */
public final class ShowsPlace {
    private ShowsPlace() {}

    public static void main(String[] args) throws IOException {
        try (HearthContext context = HearthContext.builder().name("place").open()) {
            System.out.println(line("driver"));
            context.parallelize(List.of("executor"), 1)
                    .map(ShowsPlace::line)
                    .collect()
                    .forEach(System.out::println);
        }
    }

    /** Public, because serialised functions call it from another class. */
    public static String line(String who) throws IOException {
        Path left = Path.of("left.txt");
        Files.writeString(left, "relative ");
        Files.writeString(left.toAbsolutePath(), Files.readString(left) + "absolute " + who);
        return who + " " + ProcessHandle.current().pid() + " " + System.getProperty("hearth.prestarted", "started")
                + " " + Path.of("").toRealPath();
    }
}
