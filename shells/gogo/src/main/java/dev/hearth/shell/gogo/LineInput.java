package dev.hearth.shell.gogo;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;

/** Source of the lines that a Hearth shell runs, such as a terminal, a pipe or the arguments. Used by one thread. */
interface LineInput {
    /** Returns the next line; empty at the end of the input. Throws when the thread is interrupted. */
    Optional<String> next() throws IOException, InterruptedException;

    /** Returns the current width of the output, in characters. */
    int width();

    /** Creates a source of {@code lines} for output whose present width {@code width} returns. */
    static LineInput of(List<String> lines, IntSupplier width) {
        Iterator<String> rest = lines.iterator();
        return new LineInput() {
            @Override
            public Optional<String> next() {
                return rest.hasNext() ? Optional.of(rest.next()) : Optional.empty();
            }

            @Override
            public int width() {
                return width.getAsInt();
            }
        };
    }
}
