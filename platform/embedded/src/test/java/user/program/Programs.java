package user.program;

import dev.hearth.api.HearthContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** Applications of {@code InProcessApplicationsTest}. */
public final class Programs {
    /** The exception of the last run of {@link Throws}. */
    public static volatile Optional<RuntimeException> thrown = Optional.empty();
    /** Opens once {@link Waits} has opened its context. */
    public static volatile CountDownLatch waiting = new CountDownLatch(0);

    private Programs() {}

    /** Writes the sum of its arguments and the loader of its classes to the file of its first argument. */
    public static final class Sums {
        public static void main(String[] arguments) throws Exception {
            try (HearthContext context = HearthContext.builder().open()) {
                int sum =
                        context.parallelize(List.of(1, 2, 3), 2).map(x -> x + 1).reduce(Integer::sum);
                Files.writeString(
                        Path.of(arguments[0]),
                        context.applicationName() + " " + context.master() + " " + sum + " "
                                + Sums.class.getClassLoader().getName());
            }
        }
    }

    /** Waits with an open context, and a thread of its own beside it, until it is interrupted. */
    public static final class Waits {
        public static void main(String[] arguments) throws Exception {
            try (HearthContext context =
                    HearthContext.builder().name(arguments[0]).open()) {
                new Thread(Waits::waitForEver, "left by " + arguments[0]).start();
                context.parallelize(List.of(1), 1).count();
                waiting.countDown();
                new CountDownLatch(1).await();
            }
        }

        private static void waitForEver() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Throws before it has a context, unless it has arguments. */
    public static final class Throws {
        public static void main(String[] arguments) {
            if (arguments.length == 0) {
                RuntimeException failure = new IllegalStateException("of a test");
                thrown = Optional.of(failure);
                throw failure;
            }
        }
    }
}
