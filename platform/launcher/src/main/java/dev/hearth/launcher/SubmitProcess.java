package dev.hearth.launcher;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The process of {@code bin/submit} that is to start: its command line, environment and streams. Immutable. */
record SubmitProcess(
        Path home, List<String> words, Map<String, String> environment, Optional<Path> directory, Streams streams) {
    /** Environment variable with the port to which the process connects. */
    static final String PORT = "HEARTH_LAUNCHER_PORT";
    /** Environment variable with the secret by which the process proves that it is the one that was started. */
    static final String SECRET = "HEARTH_LAUNCHER_SECRET";

    private static final String NAME_FLAG = "--name";
    private static final String CLASS_FLAG = "--class";
    /** Variables of Spark's launcher, which would connect the process to a program around this one. */
    private static final List<String> FOREIGN = List.of("_SPARK_LAUNCHER_PORT", "_SPARK_LAUNCHER_SECRET");

    /** Where the output of the process goes; what is not redirected is read by this program. */
    record Streams(Optional<Redirect> output, Optional<Redirect> errors, boolean errorsToOutput) {
        /** All output is read by this program. */
        static final Streams NONE = new Streams(Optional.empty(), Optional.empty(), false);
    }

    SubmitProcess {
        words = List.copyOf(words);
        environment = Map.copyOf(environment);
    }

    /** Starts the process without a connection to this program. */
    Process launch() throws IOException {
        ProcessBuilder builder = builder();
        builder.environment().keySet().removeAll(List.of(PORT, SECRET));
        return builder.start();
    }

    /** Starts the process, which connects to {@code port} of this machine. */
    Process launch(int port, String secret) throws IOException {
        ProcessBuilder builder = builder();
        builder.environment().put(PORT, String.valueOf(port));
        builder.environment().put(SECRET, secret);
        return builder.start();
    }

    /** A name for the application in logs: its own name, otherwise its main class or its jar. */
    String label() {
        return after(NAME_FLAG).or(() -> after(CLASS_FLAG)).orElse("submit");
    }

    private Optional<String> after(String flag) {
        int at = words.indexOf(flag);
        return at >= 0 && at + 1 < words.size() ? Optional.of(words.get(at + 1)) : Optional.empty();
    }

    private ProcessBuilder builder() throws IOException {
        Path program = home.resolve("bin").resolve("submit");
        if (!Files.isExecutable(program)) {
            throw new IOException("installation " + home + ": no program bin/submit (expected: the directory of an"
                    + " installation of Hearth)");
        }
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeAll(FOREIGN);
        builder.environment().putAll(environment);
        directory.ifPresent(working -> builder.directory(working.toFile()));
        streams.output().ifPresent(builder::redirectOutput);
        streams.errors().ifPresent(builder::redirectError);
        builder.redirectErrorStream(streams.errorsToOutput());
        builder.redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
        return builder;
    }
}
