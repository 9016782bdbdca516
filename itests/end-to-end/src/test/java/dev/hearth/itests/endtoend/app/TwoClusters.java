package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Opens a context on each of two clusters, of the masters {@code args[1]} and {@code args[2]}, and writes the same path on the
 * file system of each in turn. A task of each, and the driver at its end, report to the gate at port {@code args[0]} and wait
 * there.
 */
public final class TwoClusters {
    private static final Pattern FILES = Pattern.compile("fs\\.defaultFS</name><value>([^<]+)");

    private TwoClusters() {}

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        try (HearthContext one = open(args[1]);
                HearthContext other = open(args[2])) {
            write(port, one, "one", path(args[1]));
            write(port, other, "other", path(args[2]));
            System.out.println(one.textFile(path(args[1])).collect() + " and "
                    + other.textFile(path(args[2])).collect());
            GatedSum.pass(port, one.applicationId() + "," + other.applicationId(), 0);
        }
    }

    private static HearthContext open(String master) {
        return HearthContext.builder().name("two clusters").master(master).open();
    }

    /** The path on the file system of the configuration that {@code master} names. */
    private static String path(String master) throws IOException {
        Path directory = Path.of(master.substring(master.indexOf('[') + 1, master.length() - 1));
        String site = Files.readString(directory.resolve("core-site.xml"));
        Matcher files = FILES.matcher(site);
        if (!files.find()) {
            throw new IOException(directory + ": names no file system:\n" + site);
        }
        return files.group(1) + "/two-clusters";
    }

    private static void write(int port, HearthContext context, String word, String path) {
        context.parallelize(List.of(word), 1)
                .map(each -> {
                    GatedSum.pass(port, each, 0);
                    return each;
                })
                .saveAsTextFile(path);
    }
}
