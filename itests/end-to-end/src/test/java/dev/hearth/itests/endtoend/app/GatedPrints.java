package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Runs a job whose tasks print a line, report to the gate at port {@code args[0]}, wait until it lets them pass, and
 * print another line. {@code args[1]} is the number of tasks.
 */
public final class GatedPrints {
    private GatedPrints() {}

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        int tasks = Integer.parseInt(args[1]);
        try (HearthContext context =
                HearthContext.builder().name("gated prints").open()) {
            List<Integer> numbers = IntStream.range(0, tasks).boxed().toList();
            int count = context.parallelize(numbers, tasks)
                    .map(number -> {
                        System.out.println("task " + number + " waits");
                        GatedSum.pass(port, "task", number);
                        System.out.println("task " + number + " has passed");
                        return 1;
                    })
                    .reduce(Integer::sum);
            System.out.println(count + " tasks");
        }
    }
}
