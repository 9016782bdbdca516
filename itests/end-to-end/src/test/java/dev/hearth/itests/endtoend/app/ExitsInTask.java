package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import java.util.List;

/** Ends the process of its executor in a task, with the status {@code args[0]}. */
public final class ExitsInTask {
    private ExitsInTask() {}

    public static void main(String[] args) {
        int status = Integer.parseInt(args[0]);
        try (HearthContext context =
                HearthContext.builder().name("exits in a task").open()) {
            context.parallelize(List.of(status), 1).map(ExitsInTask::exit).collect();
        }
    }

    private static int exit(int status) {
        System.exit(status);
        return status;
    }
}
