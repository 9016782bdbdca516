package dev.hearth.shell.gogo;

import dev.hearth.shell.gogo.answer.PageFormat;
import java.util.OptionalInt;

/**
 * Width of standard output of a shell that does not edit lines: the number of columns if it is a terminal, otherwise
 * unlimited, so that lines in pipes and files stay whole.
 */
final class OutputWidth {
    /** System property with the number of columns; set by bin/hearth if standard output is a terminal. */
    static final String COLUMNS = "hearth.stdout.columns";

    private OutputWidth() {}

    static int of(OptionalInt given) {
        return given.orElseGet(() -> Integer.getInteger(COLUMNS, PageFormat.WIDTH_UNLIMITED));
    }

    /** Whether standard output is a terminal. */
    static boolean isTerminal() {
        return System.getProperty(COLUMNS) != null;
    }
}
