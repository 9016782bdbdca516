package dev.hearth.shell.submit;

import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.packages.PackageListener;
import java.io.PrintStream;

/**
 * Prints what happens to the packages of an application: warnings, decisions if {@code verbose} is set, and at a terminal
 * one line with the progress of downloads, which each report replaces. Guarded by its own lock.
 */
final class PackageReport implements PackageListener {
    private static final String CLEAR_LINE = "\r\033[K";
    private static final int NAME_CHARACTERS_MAX = 40;
    private static final int KIBIBYTE = 1024;

    private final PrintStream err;
    private final boolean verbose;
    private final boolean terminal;
    private boolean shown; // guarded by this; whether the line of progress is on the screen

    PackageReport(PrintStream err, boolean verbose, boolean terminal) {
        this.err = err;
        this.verbose = verbose;
        this.terminal = terminal;
    }

    @Override
    public synchronized void warned(String line) {
        clear();
        err.println(PrintableText.line("warning: " + line));
    }

    @Override
    public synchronized void noted(String line) {
        if (verbose) {
            clear();
            err.println(PrintableText.line("packages: " + line));
        }
    }

    @Override
    public synchronized void progressed(String file, long bytes, int done, int known) {
        if (terminal) {
            clear();
            if (done < known) {
                err.print(PrintableText.line(line(file, bytes, done, known)));
                err.flush();
                shown = true;
            }
        }
    }

    private static String line(String file, long bytes, int done, int known) {
        String name = file.length() > NAME_CHARACTERS_MAX
                ? "..." + file.substring(file.length() - NAME_CHARACTERS_MAX)
                : file;
        return "packages: " + name + " " + bytes / KIBIBYTE + " KiB, " + done + " of " + known + " files";
    }

    private void clear() {
        if (shown) {
            err.print(CLEAR_LINE);
            err.flush();
            shown = false;
        }
    }
}
