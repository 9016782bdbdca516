package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sums numbers in one job of {@code args[1]} partitions and, after a pause, in one of a single partition. The driver
 * and every task report to the gate at port {@code args[0]} and wait until it lets them pass.
 */
public final class GatedRounds {
    private GatedRounds() {}

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        int partitions = Integer.parseInt(args[1]);
        try (HearthContext context =
                HearthContext.builder().name("gated rounds").open()) {
            GatedSum.pass(port, "driver", 0);
            int many = sum(context, port, partitions);
            GatedSum.pass(port, "pause", 0);
            System.out.println("sums are " + many + " and " + sum(context, port, 1));
        }
    }

    private static int sum(HearthContext context, int port, int partitions) {
        List<Integer> numbers = IntStream.rangeClosed(1, partitions).boxed().toList();
        return context.parallelize(numbers, partitions)
                .map(number -> {
                    GatedSum.pass(port, "task", number);
                    return number;
                })
                .reduce(Integer::sum);
    }
}
