package dev.hearth.spi.process;

import java.util.concurrent.CompletionStage;

/** A process that was started here. */
public interface ChildProcess {
    long pid();

    /** Completes with the exit status, on any thread; a process ended by signal n exits with 128 + n. */
    CompletionStage<Integer> exit();

    /** Asks the process to end, and ends it when it has not within a bound of seconds. Does not wait. */
    void stop();

    /** The last {@code bytesMax} bytes that the process wrote to standard output, decoded. */
    String outputTail(int bytesMax);

    String errorTail(int bytesMax);
}
