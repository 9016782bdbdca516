package dev.hearth.shell.gogo;

/**
 * Runs command lines in this process or in another one. Used by one thread, whose interruption ends the running line.
 */
interface CommandExecutor extends AutoCloseable {
    /** Runs one line, writes its output, and returns its exit status. {@code width} is in characters. */
    int run(String line, int width);

    /** Runs one line and returns its output, empty if it failed. For the shell's own queries, such as completion. */
    String ask(String line);

    @Override
    void close();
}
