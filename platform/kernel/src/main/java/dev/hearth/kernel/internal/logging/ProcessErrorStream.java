package dev.hearth.kernel.internal.logging;

import java.io.OutputStream;
import java.io.PrintStream;

/**
 * Standard error of the process, as destination of its log. Follows {@link System#setErr}, with one exception: the
 * command language of the shell replaces {@code System.err} by a stream that sends what the threads of a command print
 * to the user of that shell. The log of these threads is that of the process all the same.
 */
final class ProcessErrorStream extends OutputStream {
    /** Package of the stream that the command language installs. */
    private static final String COMMAND_LANGUAGE = "org.apache.felix.gogo.";

    private final PrintStream first = System.err;

    @Override
    public void write(int one) {
        current().write(one);
    }

    @Override
    public void write(byte[] bytes, int from, int count) {
        current().write(bytes, from, count);
    }

    @Override
    public void flush() {
        current().flush();
    }

    @Override
    public void close() {
        flush(); // standard error stays open
    }

    private PrintStream current() {
        PrintStream now = System.err;
        return isOfCommands(now.getClass()) ? first : now;
    }

    static boolean isOfCommands(Class<?> stream) {
        return stream.getName().startsWith(COMMAND_LANGUAGE);
    }
}
