package dev.hearth.spi.shell;

import java.util.function.IntConsumer;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Terminal, pipe or file to which a line of the Hearth shell writes while it runs. Any thread may call; the printing
 * methods may block until the reader has caught up.
 */
@ConsumerType
public interface LineTerminal {
    /** Width of the output in characters. */
    int width();

    /** Whether the output may contain colours. */
    default boolean hasColours() {
        return false;
    }

    /** Calls {@code action} with the new width whenever that changes while the line runs. */
    default void whenResized(IntConsumer action) {}

    void print(String text);

    void printError(String text);
}
