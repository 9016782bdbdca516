package dev.hearth.shell.gogo;

import dev.hearth.shell.gogo.command.CommandCall;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Converter;

/**
 * Session of a Hearth shell, whose command language is Gogo, with its variables and its output. Used by one thread;
 * ends with {@link #close}.
 */
final class GogoSession implements AutoCloseable {
    private static final String SCOPE = "SCOPE";
    private static final String SCOPES = "hearth:gogo:*";
    private static final String VARIABLES = ".variables";

    private final CommandProcessor processor;
    private final PrintStream out;
    private final PrintStream err;
    private volatile CommandSession gogo; // replaced by the owner's thread

    GogoSession(CommandProcessor processor, OutputStream out, OutputStream err, boolean colours) {
        this.processor = processor;
        this.out = new PrintStream(out, true, StandardCharsets.UTF_8);
        this.err = new PrintStream(err, true, StandardCharsets.UTF_8);
        this.gogo = open(Map.of(SCOPE, SCOPES, CommandCall.COLOURS, String.valueOf(colours)));
    }

    /**
     * Runs a line of the shell and prints its value, if there is one. An interrupt of the thread ends the line; the
     * session keeps its variables. Fails with a message for the user.
     */
    void run(String line, int width) {
        try {
            execute(line, width);
        } catch (Exception | StackOverflowError | LinkageError failure) { // a failed command must not end the shell
            throw CommandFailure.of(line, failure, gogo);
        }
    }

    /** Sets the width of the output, of a running line too. */
    void width(int width) {
        gogo.put(CommandCall.WIDTH, width);
    }

    void put(String variable, Object value) {
        gogo.put(variable, value);
    }

    private void execute(String line, int width) throws Exception {
        gogo.put(CommandCall.WIDTH, width);
        try {
            Object value = gogo.execute(line);
            if (value != null) {
                out.println(gogo.format(value, Converter.INSPECT));
            }
        } catch (InterruptedException wanted) {
            Map<String, Object> variables = variables();
            gogo.close(); // interrupts the background jobs of the line, which would otherwise block the session
            gogo = open(variables);
            throw wanted;
        } finally {
            out.flush();
            err.flush();
        }
    }

    @Override
    public void close() {
        gogo.close();
    }

    private CommandSession open(Map<String, Object> variables) {
        CommandSession opened = processor.createSession(InputStream.nullInputStream(), out, err);
        variables.forEach(opened::put);
        return opened;
    }

    private Map<String, Object> variables() {
        Map<String, Object> variables = new LinkedHashMap<>();
        if (gogo.get(VARIABLES) instanceof Set<?> names) {
            for (Object name : names) {
                Object value = gogo.get(name.toString());
                if (value != null) {
                    variables.put(name.toString(), value);
                }
            }
        }
        return variables;
    }
}
