package dev.hearth.shell.gogo.command;

import dev.hearth.spi.cluster.LogChunk;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.process.OutputChunk;
import dev.hearth.spi.process.OutputName;
import dev.hearth.spi.process.OutputPosition;
import dev.hearth.spi.process.OutputRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Prints the outputs of one process of a cluster, part by part: the next part is requested when the one before is
 * written, so that a slow reader delays nothing but itself. Used by one thread.
 */
final class LogPrinter {
    /** Time between two requests for output that did not follow yet. */
    private static final long PAUSE_MILLIS = 200;

    private final ClusterAccess.OpenView view;
    private final LogSource source;
    private final OptionalInt attempt;
    private final Sink sink;
    private final boolean follow;
    private final Pause pause;
    private String holder = "";

    /** Destination of the outputs of a process. */
    interface Sink {
        /** Outputs to print. */
        List<OutputName> outputs();

        /** Writes the next bytes of an output, and passes them on at once. */
        void write(OutputName output, byte[] bytes);

        /** Reports that bytes before the next ones were removed. */
        void cut(OutputName output);
    }

    /** Wait between two requests. */
    interface Pause {
        void pause() throws InterruptedException;
    }

    /** Output that is printed: the position of its next byte, and where to end if output is not followed. */
    private static final class Cursor {
        private final OutputName output;
        private OutputPosition next = OutputPosition.START;
        private OutputPosition last = OutputPosition.END;
        private boolean isDone;

        Cursor(OutputName output) {
            this.output = output;
        }
    }

    /** Printer of the outputs of {@code source} in {@code attempt}; in its last one if that is empty. */
    LogPrinter(ClusterAccess.OpenView view, LogSource source, OptionalInt attempt, Sink sink, boolean follow) {
        this(view, source, attempt, sink, follow, () -> RepeatedAnswer.pause(PAUSE_MILLIS));
    }

    LogPrinter(
            ClusterAccess.OpenView view,
            LogSource source,
            OptionalInt attempt,
            Sink sink,
            boolean follow,
            Pause pause) {
        this.view = view;
        this.source = source;
        this.attempt = attempt;
        this.sink = sink;
        this.follow = follow;
        this.pause = pause;
    }

    /** Prints the last {@code bytes} bytes of each output, as {@link #print(Optional)} prints lines. */
    void printBytes(long bytes) throws InterruptedException {
        print(output -> Optional.of(beforeBytes(output, bytes)));
    }

    /**
     * Prints the last {@code lines} lines of each output, or all. If output is followed, returns when the process has
     * ended and all its output was printed.
     */
    void print(Optional<Integer> lines) throws InterruptedException {
        print(output -> lines.isPresent() ? Optional.of(beforeLines(output, lines.get())) : Optional.empty());
    }

    /** Search for the position from which an output is printed; empty for all of it. */
    private interface Begin {
        Optional<OutputPosition> of(OutputName output) throws InterruptedException;
    }

    private void print(Begin begin) throws InterruptedException {
        List<Cursor> cursors = new ArrayList<>();
        for (OutputName output : sink.outputs()) {
            Cursor cursor = new Cursor(output);
            if (!follow) {
                cursor.last = read(OutputRange.from(output, OutputPosition.END))
                        .chunk()
                        .to();
            }
            cursor.next = begin.of(output).orElse(cursor.next);
            cursors.add(cursor);
        }
        while (cursors.stream().anyMatch(cursor -> !cursor.isDone)) {
            boolean hasMoved = false;
            for (Cursor cursor : cursors) {
                hasMoved |= !cursor.isDone && advance(cursor);
            }
            if (!hasMoved && cursors.stream().anyMatch(cursor -> !cursor.isDone)) {
                pause.pause();
            }
        }
    }

    /** Prints the next part of one output; returns whether there was any. */
    private boolean advance(Cursor cursor) throws InterruptedException {
        LogChunk answer = read(OutputRange.from(cursor.output, cursor.next));
        OutputChunk chunk = answer.chunk();
        if (chunk.isCut()) {
            sink.cut(cursor.output);
        }
        byte[] bytes = chunk.bytes().toArray();
        if (bytes.length > 0) {
            sink.write(cursor.output, bytes);
        }
        cursor.next = chunk.to();
        cursor.isDone =
                follow ? chunk.atEnd() && answer.hasEnded() : chunk.atEnd() || hasReached(chunk.to(), cursor.last);
        return bytes.length > 0;
    }

    private static boolean hasReached(OutputPosition position, OutputPosition last) {
        return position.file() > last.file() || (position.file() == last.file() && position.offset() >= last.offset());
    }

    /** Returns the position before the last {@code bytes} bytes of an output. */
    private OutputPosition beforeBytes(OutputName output, long bytes) throws InterruptedException {
        OutputPosition position = OutputPosition.END;
        long missing = bytes;
        do {
            int part = (int) Math.min(missing, OutputRange.BYTES_MOST);
            OutputChunk chunk = read(part == 0
                            ? OutputRange.from(output, position)
                            : new OutputRange(output, position, true, part))
                    .chunk();
            if (chunk.bytes().toArray().length == 0) {
                return chunk.from();
            }
            missing -= chunk.bytes().toArray().length;
            position = chunk.from();
        } while (missing > 0);
        return position;
    }

    /** Returns the position before the last {@code lines} lines of an output. */
    private OutputPosition beforeLines(OutputName output, int lines) throws InterruptedException {
        OutputPosition end = OutputPosition.END;
        int missing = lines;
        boolean isLastByte = true;
        while (true) {
            OutputChunk chunk = read(OutputRange.before(output, end)).chunk();
            byte[] bytes = chunk.bytes().toArray();
            if (bytes.length == 0) {
                return chunk.from();
            }
            for (int at = bytes.length - 1; at >= 0; at--) {
                boolean endsLine = bytes[at] == '\n';
                if (endsLine && !isLastByte) {
                    missing--;
                }
                if (missing <= 0) {
                    return new OutputPosition(chunk.from().file(), chunk.from().offset() + at + 1);
                }
                isLastByte = false;
            }
            end = chunk.from();
        }
    }

    private LogChunk read(OutputRange range) throws InterruptedException {
        String last = holder;
        LogChunk chunk = view.ask(seen -> seen.log(source, attempt, range, last));
        holder = chunk.holder();
        return chunk;
    }
}
