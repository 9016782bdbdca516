package dev.hearth.submission.applications;

import dev.hearth.api.HearthContext;
import java.util.concurrent.CountDownLatch;

/** Applications for the tests of the runner; loaded once more, by a loader of their own. */
public final class Applications {
    private Applications() {}

    /** Tells its arguments, its thread and its loader through the name and settings of its context. */
    public static final class Tells {
        private Tells() {}

        public static void main(String[] arguments) {
            Thread thread = Thread.currentThread();
            HearthContext.builder()
                    .name(String.join("|", arguments))
                    .setting("thread", thread.getName())
                    .setting(
                            "own loader",
                            String.valueOf(thread.getContextClassLoader() == Tells.class.getClassLoader()))
                    .open();
        }
    }

    /** Throws something of its own. */
    public static final class Throws {
        private Throws() {}

        public static void main(String[] arguments) {
            Integer.parseInt(arguments[0]);
        }
    }

    /** Throws two lines. */
    static final class ThrowsTwoLines {
        private ThrowsTwoLines() {}

        @SuppressWarnings("DoNotCallSuggester") // it is there to be called
        public static void main(String[] arguments) {
            throw new IllegalStateException("boom\nand more");
        }
    }

    /** Fails before its first statement. */
    public static final class FailsEarly {
        static final int LENGTH = Integer.parseInt("early");

        private FailsEarly() {}

        public static void main(String[] arguments) {
            HearthContext.builder().name("never " + LENGTH).open();
        }
    }

    /** Waits to be interrupted, after it opened a context. */
    public static final class Waits {
        private Waits() {}

        public static void main(String[] arguments) throws InterruptedException {
            HearthContext.builder().name("waits").open();
            new CountDownLatch(1).await();
        }
    }

    /** Does not care to be interrupted; ends once its context is without parallelism. */
    public static final class IsDeaf {
        private IsDeaf() {}

        public static void main(String[] arguments) {
            HearthContext context = HearthContext.builder().name("deaf").open();
            while (context.defaultParallelism() > 0) {
                Thread.onSpinWait();
            }
        }
    }

    /** Has a main method that belongs to an object. */
    public static final class HasNoStaticMain {
        @SuppressWarnings("IncorrectMainMethod") // the mistake under test
        public void main(String[] arguments) {
            HearthContext.builder().name(String.join("|", arguments)).open();
        }
    }
}
