package dev.hearth.launcher;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;

/** Writes the output of a process to a logger, line by line. One thread per stream, which ends with the stream. */
final class ChildOutput {
    /** Length from which a line is cut into several messages. */
    private static final int LINE_MAX = 8_192;

    private final System.Logger logger;

    ChildOutput(String name) {
        logger = System.getLogger(name);
    }

    /** Writes those streams of {@code process} to the logger {@code name} that are not redirected. */
    static void follow(Process process, SubmitProcess.Streams streams, String name) {
        ChildOutput output = new ChildOutput(name);
        if (streams.output().isEmpty()) {
            output.follow(process.getInputStream(), "hearth-launched-output-" + process.pid());
        }
        if (streams.errors().isEmpty() && !streams.errorsToOutput()) {
            output.follow(process.getErrorStream(), "hearth-launched-errors-" + process.pid());
        }
    }

    /** Starts to read {@code in}, on a new thread. */
    private void follow(InputStream in, String thread) {
        Thread reader = new Thread(() -> copy(in), thread);
        reader.setDaemon(true);
        reader.start();
    }

    void copy(InputStream in) {
        try (Reader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            StringBuilder line = new StringBuilder();
            for (int next = lines.read(); next >= 0; next = lines.read()) {
                if (next != '\n') {
                    line.append((char) next);
                }
                if (next == '\n' || line.length() == LINE_MAX) {
                    print(line);
                }
            }
            if (line.length() > 0) {
                print(line);
            }
        } catch (IOException ended) {
            logger.log(System.Logger.Level.DEBUG, "output of the application: ended", ended);
        }
    }

    private void print(StringBuilder line) {
        logger.log(System.Logger.Level.INFO, line.toString());
        line.setLength(0);
    }
}
