package dev.hearth.examples;

import dev.hearth.api.HearthContext;
import java.util.List;

/** An application with a task that fails at every attempt. It shows the output of a failed submission. */
public final class FailsInTask {
    private static final int BAD = 3;

    private FailsInTask() {}

    public static void main(String[] arguments) {
        try (HearthContext context = HearthContext.builder().name("FailsInTask").open()) {
            long sum = context.parallelize(List.of(1, 2, BAD, 4), 2)
                    .map(FailsInTask::check)
                    .reduce(Integer::sum);
            System.out.println("sum " + sum);
        }
    }

    private static int check(int element) {
        if (element == BAD) {
            throw new IllegalArgumentException("element " + element + " is bad");
        }
        return element;
    }
}
