package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Fails at its first {@code args[1]} starts after a task has reported to the gate at port {@code args[0]}: at first without
 * a shutdown, as kill -9 does, then with exit status 1. Counts its starts in its working directory.
 */
public final class FailsFirst {
    private FailsFirst() {}

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        Path starts = Path.of("starts");
        Files.writeString(starts, "start\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        int start = Files.readAllLines(starts).size();
        try (HearthContext context = HearthContext.builder().name("fails first").open()) {
            int sum = context.parallelize(List.of(1, 2), 2)
                    .map(number -> {
                        GatedSum.pass(port, "task", number);
                        return number;
                    })
                    .reduce(Integer::sum);
            if (start == 1 && start <= Integer.parseInt(args[1])) {
                Runtime.getRuntime().halt(1);
            }
            if (start <= Integer.parseInt(args[1])) {
                System.exit(1);
            }
            System.out.println("start " + start + " has sum " + sum);
        }
    }
}
