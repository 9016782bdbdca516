package dev.hearth.shell.gogo;

import java.io.IOException;
import java.util.Optional;

/** Source of the lines that a Hearth shell runs, such as a terminal or a pipe. Used by one thread. */
interface LineInput {
    /** Returns the next line; empty at the end of the input. Throws when the thread is interrupted. */
    Optional<String> next() throws IOException, InterruptedException;

    /** Returns the current width of the output, in characters. */
    int width();
}
