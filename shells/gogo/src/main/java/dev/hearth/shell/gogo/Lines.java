package dev.hearth.shell.gogo;

/** Where typed lines are run: this process or another. Used by one thread, whose interruption ends the line under way. */
interface Lines extends AutoCloseable {
    /** Runs one line, writes what it answers, and returns its exit status. {@code width} is in characters. */
    int run(String line, int width);

    /** Runs one line and returns what it wrote; empty when it failed. For questions that the shell itself asks. */
    String ask(String line);

    @Override
    void close();
}
