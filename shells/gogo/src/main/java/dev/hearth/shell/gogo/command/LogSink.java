package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.FieldList;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.spi.process.OutputName;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes the outputs of a process to the streams of a command: standard output to standard output and errors to errors,
 * as they are. With {@code --json} each line is an object. Used by one thread.
 */
final class LogSink implements LogPrinter.Sink {
    /** Length at which a line is written as if it had ended, with {@code --json}. */
    private static final int LINE_BYTES_MAX = 64 * 1024;

    private final List<OutputName> outputs;
    private final PrintStream out;
    private final PrintStream err;
    private final boolean isJson;
    private final Map<OutputName, ByteArrayOutputStream> lines = new EnumMap<>(OutputName.class); // unfinished ones

    LogSink(CommandCall call, Set<OutputName> outputs) {
        this.outputs = List.copyOf(outputs);
        this.out = call.out();
        this.err = call.err();
        this.isJson = call.isJson();
    }

    @Override
    public List<OutputName> outputs() {
        return outputs;
    }

    @Override
    public void write(OutputName output, byte[] bytes) {
        if (!isJson) {
            PrintStream to = output == OutputName.STDERR ? err : out;
            to.write(bytes, 0, bytes.length);
            to.flush();
            return;
        }
        ByteArrayOutputStream line = lines.computeIfAbsent(output, name -> new ByteArrayOutputStream());
        for (byte next : bytes) {
            if (next == '\n') {
                printLine(output, line);
                continue;
            }
            line.write(next);
            if (line.size() >= LINE_BYTES_MAX) {
                printLine(output, line);
            }
        }
        out.flush();
    }

    @Override
    public void cut(OutputName output) {
        err.println("[hearth: older output was removed before it was read: " + output.file() + "]");
    }

    /** Writes the last line of each output, if it has no line end. */
    void close() {
        lines.forEach((output, line) -> {
            if (line.size() > 0) {
                printLine(output, line);
            }
        });
        out.flush();
    }

    private void printLine(OutputName output, ByteArrayOutputStream line) {
        out.println(FieldList.begin()
                .fact("output", OutputValue.of(output.file()))
                .fact("line", OutputValue.of(line.toString(StandardCharsets.UTF_8)))
                .build()
                .json());
        line.reset();
    }
}
