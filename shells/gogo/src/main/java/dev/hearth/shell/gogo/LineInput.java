package dev.hearth.shell.gogo;

import java.io.IOException;
import java.util.Optional;

/** Where lines come from. Used by one thread. */
interface LineInput {
    /** The next line; empty at the end of the input. Ends early when the thread is interrupted. */
    Optional<String> next() throws IOException, InterruptedException;

    /** For how many characters answers are laid out now. */
    int width();
}
