package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import java.io.IOException;
import java.util.List;

/**
 * Opens a context on each of two clusters, of the masters {@code args[1]} and {@code args[2]}, and writes the same path with
 * both in turn. A task of each, and the driver at its end, report to the gate at port {@code args[0]} and wait there.
 */
public final class TwoClusters {
    private static final String PATH = "/two-clusters";

    private TwoClusters() {}

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        try (HearthContext one = open(args[1]);
                HearthContext other = open(args[2])) {
            write(port, one, "one");
            write(port, other, "other");
            System.out.println(one.textFile(PATH).collect() + " and "
                    + other.textFile(PATH).collect());
            GatedSum.pass(port, one.applicationId() + "," + other.applicationId(), 0);
        }
    }

    private static HearthContext open(String master) {
        return HearthContext.builder().name("two clusters").master(master).open();
    }

    private static void write(int port, HearthContext context, String word) {
        context.parallelize(List.of(word), 1)
                .map(each -> {
                    GatedSum.pass(port, each, 0);
                    return each;
                })
                .saveAsTextFile(PATH);
    }
}
