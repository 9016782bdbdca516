package dev.hearth.shell.gogo;

/**
 * Runs command lines in this process or in another one. Used by one thread; an interrupt of that thread ends the
 * running command line.
 */
interface CommandExecutor extends AutoCloseable {
    /**
     * Runs a command line, writes its output, and returns its exit status. {@code width} is the width of the output in
     * characters.
     */
    int run(String line, int width);

    /**
     * Runs the command line {@code line} without printing, and returns its output; empty if it failed. The shell uses
     * it for its own queries, such as completion.
     */
    String ask(String line);

    @Override
    void close();
}
