package dev.hearth.shell.gogo;

/**
 * Runs lines of the Hearth shell in this process or in another one. Used by one thread; an interrupt of that thread
 * ends the running line.
 */
interface CommandExecutor extends AutoCloseable {
    /**
     * Runs a line of the shell, writes its output, and returns its exit status. {@code width} is the width of the
     * output in characters.
     */
    int run(String line, int width);

    /**
     * Runs the shell line {@code line} without printing, and returns its output; empty if it failed. The shell uses it
     * for its own queries, such as completion.
     */
    String ask(String line);

    /** Announces a new width of the terminal, for the line that runs. Called by any thread. */
    default void resized(int width) {}

    @Override
    void close();
}
