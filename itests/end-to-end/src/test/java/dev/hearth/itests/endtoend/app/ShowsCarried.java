package dev.hearth.itests.endtoend.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Prints the files that the submission carries, as the driver's working directory, the driver and a task see them. The
 * arguments are paths that begin with the names of files or archives.
 */
public final class ShowsCarried {
    private ShowsCarried() {}

    public static void main(String[] args) throws IOException {
        for (String path : args) {
            System.out.println("directory " + path + ": " + content(Path.of(path)));
        }
        InputStream onClassPath = ShowsCarried.class.getClassLoader().getResourceAsStream("carried.txt");
        System.out.println(
                "class path: " + (onClassPath == null ? "none" : new String(onClassPath.readAllBytes(), UTF_8)));
        System.out.println("variable SPARK_TEAM: " + System.getenv("SPARK_TEAM"));
        System.out.println("variable SPARK_LOCAL_IP: " + System.getenv("SPARK_LOCAL_IP"));
        System.out.println("variable COLOUR: " + System.getenv("COLOUR"));
        try (HearthContext context = HearthContext.builder().name("carried").open()) {
            System.out.println("lists " + context.listFiles() + " " + context.listArchives());
            for (String path : args) {
                System.out.println("driver " + path + ": " + content(within(context.attached(first(path)), path)));
            }
            context.parallelize(List.of(args), args.length)
                    .map(path -> "task " + path + ": " + content(within(HearthFiles.path(first(path)), path)))
                    .collect()
                    .forEach(System.out::println);
        }
    }

    /** Returns the first part of a path. Public, as all helpers that serialised functions call from another class. */
    public static String first(String path) {
        return path.split("/", 2)[0];
    }

    public static Path within(Path file, String path) {
        return path.contains("/") ? file.resolve(path.split("/", 2)[1]) : file;
    }

    public static String content(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file) : "none";
    }
}
