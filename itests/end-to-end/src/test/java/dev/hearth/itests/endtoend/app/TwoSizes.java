package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import java.io.IOException;
import java.util.List;

/**
 * Opens two contexts with executors of different sizes, {@code args[1]} and {@code args[2]}, and counts with both. The driver
 * waits at the gate at port {@code args[0]} while both have an executor.
 */
public final class TwoSizes {
    private TwoSizes() {}

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        try (HearthContext small = open(args[1], "1");
                HearthContext large = open(args[2], "2")) {
            long counted = count(small) + count(large);
            GatedSum.pass(port, small.applicationId() + "," + large.applicationId(), 0);
            System.out.println("counted " + (counted + count(small)));
        }
    }

    private static HearthContext open(String memory, String cores) {
        return HearthContext.builder()
                .name("two sizes")
                .setting("hearth.executor.memory", memory)
                .setting("hearth.executor.cores", cores)
                .setting("hearth.executor.instances", "1")
                .open();
    }

    private static long count(HearthContext context) {
        return context.parallelize(List.of(1, 2, 3), 2)
                .map(number -> number + 1)
                .count();
    }
}
