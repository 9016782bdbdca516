package dev.hearth.remoteshell.internal;

import dev.hearth.remoteshell.internal.ShellProtocol.Piece;
import dev.hearth.spi.shell.LineTerminal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Output of a running line that its requester has not fetched yet. The thread of the line writes, and waits while the
 * buffer is full; the event loop of the endpoint takes the output. Guarded by its own lock.
 */
final class StreamedOutput implements LineTerminal {
    /** Maximum number of characters that wait for the requester; a longer text is printed in parts. */
    static final int CHARACTERS_MAX = 256 * 1024;

    private final int width;
    private final boolean colours;
    private final Runnable whenPrinted;
    private final StringBuilder output = new StringBuilder();
    private final StringBuilder errors = new StringBuilder();
    private final List<IntConsumer> onResize = new ArrayList<>();
    private boolean closed; // the requester is lost

    /** {@code whenPrinted} runs after each text that is the first of a piece. */
    StreamedOutput(int width, boolean colours, Runnable whenPrinted) {
        this.width = width;
        this.colours = colours;
        this.whenPrinted = whenPrinted;
    }

    @Override
    public int width() {
        return width;
    }

    @Override
    public boolean hasColours() {
        return colours;
    }

    @Override
    public synchronized void whenResized(IntConsumer action) {
        onResize.add(action);
    }

    @Override
    public void print(String text) {
        append(output, text);
    }

    @Override
    public void printError(String text) {
        append(errors, text);
    }

    private void append(StringBuilder to, String text) {
        for (int from = 0; from < text.length(); ) {
            boolean isFirst;
            synchronized (this) {
                int room = awaitRoom();
                if (room == 0) {
                    return; // the requester reads no further output
                }
                isFirst = output.isEmpty() && errors.isEmpty();
                int end = Math.min(text.length(), from + room);
                to.append(text, from, end);
                from = end;
            }
            if (isFirst) {
                whenPrinted.run();
            }
        }
    }

    /** Returns the number of characters that fit now; 0 if no more output is wanted. */
    private synchronized int awaitRoom() {
        try {
            while (!closed && output.length() + errors.length() >= CHARACTERS_MAX) {
                wait();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt(); // the line is to end
            closed = true;
        }
        return closed ? 0 : CHARACTERS_MAX - output.length() - errors.length();
    }

    synchronized boolean isEmpty() {
        return output.isEmpty() && errors.isEmpty();
    }

    /** Takes all output that waits. */
    synchronized Piece take() {
        Piece piece = new Piece(output.toString(), errors.toString());
        output.setLength(0);
        errors.setLength(0);
        notifyAll();
        return piece;
    }

    void resized(int columns) {
        List<IntConsumer> actions;
        synchronized (this) {
            actions = List.copyOf(onResize);
        }
        actions.forEach(action -> action.accept(columns));
    }

    /** Drops all further output, and ends a wait for room. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
