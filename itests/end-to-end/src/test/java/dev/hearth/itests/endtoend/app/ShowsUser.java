package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Prints for the driver and a task who runs it, whether it may write a file into its working directory, and whether it
 * may read the file {@code args[0]} and the environment of its parent process.
 */
public final class ShowsUser {
    private ShowsUser() {}

    public static void main(String[] args) {
        String file = args[0];
        try (HearthContext context = HearthContext.builder().name("user").open()) {
            System.out.println(line("driver", file));
            context.parallelize(List.of("task"), 1)
                    .map(who -> line(who, file))
                    .collect()
                    .forEach(System.out::println);
        }
    }

    /** One line about this process. Public, because serialised functions call it from another class. */
    public static String line(String who, String file) {
        long parent = ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L);
        return who + " of " + System.getProperty("user.name") + " writes "
                + may(ShowsUser::writeAndDelete)
                + " reads " + may(() -> Files.readString(Path.of(file)))
                + " spies " + may(() -> Files.readAllBytes(Path.of("/proc/" + parent + "/environ")));
    }

    private static boolean may(Callable<?> access) {
        try {
            access.call();
            return true;
        } catch (Exception refused) {
            return false;
        }
    }

    private static Path writeAndDelete() throws IOException {
        Path file = Files.createTempFile(Path.of(""), "note", ".txt");
        Files.delete(file);
        return file;
    }
}
