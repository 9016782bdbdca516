package dev.hearth.status.progress;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Line of the terminal on which progress is drawn. While it is in use, {@link System#out} and {@link System#err} are
 * replaced by streams that first clear the line; it is drawn again only when the cursor is at the start of a line. One
 * per process, shared by the progress bars of its applications. Guarded by its own lock, which calls no logger, because
 * the log writes to these streams.
 */
final class TerminalLine {
    /** Line on standard error of this process. */
    static final TerminalLine OF_PROCESS = new TerminalLine(new FileOutputStream(FileDescriptor.err), isOutputThere());

    private final OutputStream terminal;
    private final boolean outputThere; // whether standard output goes to the same terminal
    private int users;
    private int shown; // characters of the line that is drawn
    private boolean atLineStart = true;
    private boolean broken;
    private @Nullable Replaced out;
    private @Nullable Replaced err;

    TerminalLine(OutputStream terminal, boolean outputThere) {
        this.terminal = terminal;
        this.outputThere = outputThere;
    }

    /** A standard stream and the one that stands in for it. */
    private record Replaced(PrintStream original, PrintStream clearing) {}

    /** Replaces the standard streams, unless another progress bar has done so. */
    synchronized void attach() {
        if (users++ == 0) {
            if (outputThere) {
                out = replace(System.out, "stdout.encoding");
                System.setOut(out.clearing());
            }
            err = replace(System.err, "stderr.encoding");
            System.setErr(err.clearing());
        }
    }

    /** Clears the line; the last progress bar restores the streams that are still those of {@link #attach}. */
    synchronized void detach() {
        clear();
        if (--users > 0) {
            return;
        }
        Replaced first = out;
        Replaced second = err;
        if (first != null && System.out == first.clearing()) {
            System.setOut(first.original());
        }
        if (second != null && System.err == second.clearing()) {
            System.setErr(second.original());
        }
        out = null;
        err = null;
    }

    private Replaced replace(PrintStream original, String encoding) {
        String name = System.getProperty(encoding, System.getProperty("sun." + encoding, ""));
        Charset charset =
                name.isEmpty() || !Charset.isSupported(name) ? Charset.defaultCharset() : Charset.forName(name);
        return new Replaced(original, new PrintStream(new Clearing(original), true, charset));
    }

    /** Draws {@code text}, which must be shorter than a line of the terminal, in place of what is drawn. */
    synchronized void draw(String text) {
        if (!atLineStart) {
            return; // a program has written a part of a line, which must stay readable
        }
        String rest = " ".repeat(Math.max(0, shown - text.length()));
        send("\r" + text + rest);
        shown = text.length();
    }

    /** Removes the line, so that other output begins on an empty line. Any thread may call. */
    synchronized void clear() {
        if (shown > 0) {
            send("\r" + " ".repeat(shown) + "\r");
            shown = 0;
        }
    }

    /**
     * Forgets what is drawn beyond {@code columns}, which a terminal that became narrower has cut off or wrapped: blanks
     * written there would begin further lines.
     */
    synchronized void narrow(int columns) {
        shown = Math.min(shown, Math.max(0, columns - 1));
    }

    /** Whether the terminal takes no more output. */
    synchronized boolean isBroken() {
        return broken;
    }

    private void send(String text) {
        try {
            terminal.write(text.getBytes(Terminal.CHARSET));
            terminal.flush();
        } catch (IOException closed) {
            broken = true; // the progress bar ends and logs it
        }
    }

    private synchronized void write(PrintStream original, byte[] bytes, int from, int length) throws IOException {
        if (length == 0) {
            return;
        }
        clear();
        original.write(bytes, from, length);
        atLineStart = bytes[from + length - 1] == '\n';
        if (original.checkError()) {
            throw new IOException("standard stream: cannot be written");
        }
    }

    /** Output that clears the line before it passes bytes on. */
    private final class Clearing extends OutputStream {
        private final PrintStream original;

        Clearing(PrintStream original) {
            this.original = original;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            TerminalLine.this.write(original, bytes, from, length);
        }

        @Override
        public void flush() {
            original.flush();
        }
    }

    /** Whether standard output and standard error are the same file, as on a terminal; true where that is not known. */
    private static boolean isOutputThere() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/1"))
                    .equals(Files.readSymbolicLink(Path.of("/proc/self/fd/2")));
        } catch (IOException | UnsupportedOperationException unknown) {
            return true;
        }
    }
}
