package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import dev.hearth.api.accumulator.Accumulator;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Writes numbers to the directory {@code args[1]}, one per partition, and counts them. Each task waits at the gate at
 * port {@code args[0]} before it writes. The driver waits after this job, and after another one that writes nothing.
 */
public final class GatedOutput {
    private static final int PARTITIONS = 8;

    private GatedOutput() {}

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        try (HearthContext context =
                HearthContext.builder().name("gated output").open()) {
            Accumulator<Long, Long> written = context.longAccumulator("written");
            List<Integer> numbers = IntStream.range(0, PARTITIONS).boxed().toList();
            context.parallelize(numbers, PARTITIONS)
                    .map(number -> {
                        GatedSum.pass(port, "task", number);
                        written.add(1L);
                        return number;
                    })
                    .saveAsTextFile(args[1]);
            long counted = written.value();
            GatedSum.pass(port, "written", 0);
            context.parallelize(numbers, PARTITIONS).foreach(number -> GatedSum.pass(port, "later", number));
            System.out.println(counted + " written, " + written.value() + " in the end");
        }
    }
}
