package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import dev.hearth.api.Rdd;
import dev.hearth.api.StorageLevel;
import dev.hearth.api.accumulator.Accumulator;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sums cached squares twice, and prints how many were computed. Every computation, and the driver between both sums,
 * reports to the gate at port {@code args[0]} and waits until it may pass. {@code args[1]} is the number of
 * partitions, {@code args[2]} the storage level.
 */
public final class KeptSquares {
    private KeptSquares() {}

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        int partitions = Integer.parseInt(args[1]);
        try (HearthContext context =
                HearthContext.builder().name("kept squares").open()) {
            Accumulator<Long, Long> computed = context.longAccumulator("computed");
            List<Integer> numbers = IntStream.range(0, partitions).boxed().toList();
            Rdd<Integer> squares = context.parallelize(numbers, partitions)
                    .map(number -> {
                        computed.add(1L);
                        GatedSum.pass(port, "task", number);
                        return number * number;
                    })
                    .persist(StorageLevel.valueOf(args[2]));
            int first = squares.reduce(Integer::sum);
            long once = computed.value();
            GatedSum.pass(port, "between", 0);
            int second = squares.reduce(Integer::sum);
            System.out.println(first + " of " + once + ", " + second + " of " + (computed.value() - once));
        }
    }
}
