package peer;

import dev.hearth.api.HearthContext;
import java.util.List;

/** Prints when the first task of the application ran. */
public final class FirstTask {
    private FirstTask() {}

    public static void main(String[] arguments) {
        try (HearthContext context = HearthContext.builder().name("first-task").open()) {
            long first = context.parallelize(List.of(1, 2), 2)
                    .map(number -> System.currentTimeMillis())
                    .reduce(Math::min);
            System.out.println("first task at " + first);
        }
    }
}
