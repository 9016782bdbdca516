package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Prints how the driver and the executor were started: command line, environment, system properties, and a resource of
 * the class path. {@code args[0]} is a file that the task attaches, to show its directory.
 */
public final class ShowsLaunch {
    /** Subjects of the printed lines. The output of a driver in cluster mode is bounded. */
    private static final Pattern SUBJECT =
            Pattern.compile("(?i).*(?:launch\\.|launch_|library.path|getenv user=|_given_"
                    + "|driver\\.host|bindaddress|local\\.dir|ssl\\.rpc| file | resource ).*");

    private ShowsLaunch() {}

    public static void main(String[] args) throws IOException {
        try (HearthContext context = HearthContext.builder().name("launch").open()) {
            lines("driver").forEach(ShowsLaunch::print);
            new TreeMap<>(context.settings()).forEach((key, value) -> print("driver setting " + key + "=" + value));
            context.addFile(args[0]);
            String name = Path.of(args[0]).getFileName().toString();
            context.parallelize(List.of("task"), 1)
                    .flatMap(who -> {
                        List<String> lines = lines(who);
                        lines.add(who + " file " + HearthFiles.path(name).toRealPath());
                        return lines.iterator();
                    })
                    .collect()
                    .forEach(ShowsLaunch::print);
        }
    }

    private static void print(String line) {
        if (SUBJECT.matcher(line).matches()) {
            System.out.println(line);
        }
    }

    /** Lines about this process. Public, because serialised functions call it from another class. */
    public static List<String> lines(String who) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String argument : proc("cmdline")) {
            lines.add(who + " argument " + argument);
        }
        for (String variable : proc("environ")) {
            lines.add(who + " variable " + variable);
        }
        System.getenv().forEach((name, value) -> lines.add(who + " getenv " + name + "=" + value));
        System.getProperties().forEach((name, value) -> lines.add(who + " property " + name + "=" + value));
        try (InputStream mark = ShowsLaunch.class.getClassLoader().getResourceAsStream("launch.mark")) {
            lines.add(who + " resource "
                    + (mark == null ? "none" : new String(mark.readAllBytes(), StandardCharsets.UTF_8)));
        }
        return lines;
    }

    private static String[] proc(String file) throws IOException {
        return Files.readString(Path.of("/proc/self", file), StandardCharsets.ISO_8859_1)
                .split("\0", -1);
    }
}
