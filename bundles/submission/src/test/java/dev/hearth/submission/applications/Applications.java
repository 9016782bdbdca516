package dev.hearth.submission.applications;

import dev.hearth.api.HearthContext;
import java.util.concurrent.CountDownLatch;

/** Applications for the tests of the runner, loaded by a class loader of their own. */
public final class Applications {
    private Applications() {}

    /** Reports its arguments, thread and class loader through the name and settings of its context. */
    public static final class ReportsItself {
        private ReportsItself() {}

        public static void main(String[] arguments) {
            Thread thread = Thread.currentThread();
            HearthContext.builder()
                    .name(String.join("|", arguments))
                    .setting("thread", thread.getName())
                    .setting(
                            "own loader",
                            String.valueOf(thread.getContextClassLoader() == ReportsItself.class.getClassLoader()))
                    .open();
        }
    }

    /** Throws an exception of its own. */
    public static final class Throws {
        private Throws() {}

        public static void main(String[] arguments) {
            Integer.parseInt(arguments[0]);
        }
    }

    /** Throws an exception with a two-line message. */
    static final class ThrowsTwoLines {
        private ThrowsTwoLines() {}

        @SuppressWarnings("DoNotCallSuggester") // called reflectively
        public static void main(String[] arguments) {
            throw new IllegalStateException("boom\nand more");
        }
    }

    /** Fails in its static initialiser. */
    public static final class FailsEarly {
        static final int LENGTH = Integer.parseInt("early");

        private FailsEarly() {}

        public static void main(String[] arguments) {
            HearthContext.builder().name("never " + LENGTH).open();
        }
    }

    /** Opens a context and blocks until it is interrupted. */
    public static final class Waits {
        private Waits() {}

        public static void main(String[] arguments) throws InterruptedException {
            HearthContext.builder().name("waits").open();
            new CountDownLatch(1).await();
        }
    }

    /** Ignores interrupts; ends once its context has no parallelism. */
    public static final class IgnoresInterrupts {
        private IgnoresInterrupts() {}

        public static void main(String[] arguments) {
            HearthContext context = HearthContext.builder().name("deaf").open();
            while (context.defaultParallelism() > 0) {
                Thread.onSpinWait();
            }
        }
    }

    /** Has a main method that is not static. */
    public static final class HasNoStaticMain {
        @SuppressWarnings("IncorrectMainMethod") // the error under test
        public void main(String[] arguments) {
            HearthContext.builder().name(String.join("|", arguments)).open();
        }
    }
}
