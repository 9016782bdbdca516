package peer;

import dev.hearth.api.HearthContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes into the file that its argument names when the first task of the application ran. */
public final class FirstTask {
    private FirstTask() {}

    public static void main(String[] arguments) throws Exception {
        try (HearthContext context = HearthContext.builder().name("first-task").open()) {
            long first = context.parallelize(List.of(1, 2), 2)
                    .map(number -> System.currentTimeMillis())
                    .reduce(Math::min);
            Files.writeString(Path.of(arguments[0]), String.valueOf(first));
        }
    }
}
