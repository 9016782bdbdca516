package dev.hearth.spi.process;

import java.util.concurrent.CompletionStage;

/** Process started by a {@link ProcessLauncher}. Any thread may call. */
public interface ChildProcess {
    /** Maximum number of bytes that are available from the end of each output, whatever became of its files. */
    int TAIL_BYTES_MAX = 16 * 1024;

    long pid();

    /** Stage that completes with the exit status, on any thread. A process killed by signal n exits with 128 + n. */
    CompletionStage<Integer> exit();

    /** Asks the process to end and kills it after a few seconds. Does not wait. */
    void stop();

    /** Last {@code bytesMax} bytes of standard output, as text; at most {@link #TAIL_BYTES_MAX}. */
    String outputTail(int bytesMax);

    String errorTail(int bytesMax);
}
