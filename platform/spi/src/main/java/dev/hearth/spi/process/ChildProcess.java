package dev.hearth.spi.process;

import java.util.concurrent.CompletionStage;

/** Process started by a {@link ProcessLauncher}. Any thread may call. */
public interface ChildProcess {
    /**
     * Number of bytes at the end of each output stream that stay readable through this handle, even if the output files
     * are deleted.
     */
    int TAIL_BYTES_MAX = 16 * 1024;

    long pid();

    /**
     * Completion stage of the exit status, completed on any thread. A process killed by signal n exits with 128 + n.
     */
    CompletionStage<Integer> exit();

    /** Asks the process to end and kills it after a few seconds. Does not wait. */
    void stop();

    /**
     * Last {@code bytesMax} bytes of the standard output of the process, as text; never more than {@link
     * #TAIL_BYTES_MAX}.
     */
    String outputTail(int bytesMax);

    String errorTail(int bytesMax);
}
