package dev.hearth.shell.gogo;

import dev.hearth.shell.gogo.answer.PageFormat;
import dev.hearth.spi.role.TerminalWidth;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Width of standard output of a shell that does not edit lines: the number of columns if it is a terminal, otherwise
 * unlimited, so that lines in pipes and files stay whole. Follows the size of the terminal, unless the user has given a
 * width. Any thread may call.
 */
final class OutputWidth implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OutputWidth.class);

    /** System property with the number of columns; set by bin/hearth if standard output is a terminal. */
    static final String COLUMNS = "hearth.stdout.columns";

    private final TerminalWidth terminal = new TerminalWidth(
            System.getenv(), failure -> LOG.debug("terminal: its size or changes of it are unknown", failure));
    private volatile int columns;

    private OutputWidth(int columns) {
        this.columns = columns;
    }

    /** Width of the output of {@code lines}, whose running line learns of changes. */
    static OutputWidth follow(OptionalInt given, CommandExecutor lines) {
        OutputWidth width =
                new OutputWidth(given.orElseGet(() -> Integer.getInteger(COLUMNS, PageFormat.WIDTH_UNLIMITED)));
        if (given.isEmpty() && isTerminal()) {
            width.terminal.follow(now -> {
                width.columns = now;
                lines.resized(now);
            });
        }
        return width;
    }

    /** The present width. */
    int columns() {
        return columns;
    }

    /** Whether standard output is a terminal. */
    static boolean isTerminal() {
        return System.getProperty(COLUMNS) != null;
    }

    @Override
    public void close() {
        terminal.close();
    }
}
