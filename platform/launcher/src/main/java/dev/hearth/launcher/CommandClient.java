package dev.hearth.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** Asks a cluster by {@code bin/submit} of an installation, which knows its settings and secrets. */
final class CommandClient implements FollowedCluster {
    /** Longest output that is read. */
    private static final int OUTPUT_MAX = 1 << 20;
    /** Exit statuses of a cluster that cannot be reached now: docs/errors.md. */
    private static final Set<Integer> UNREACHABLE = Set.of(4, 5, 7);

    private static final String LINKS = "links.";

    private final Command command;

    /** Starts {@code bin/submit} with the words of a request. */
    interface Command {
        Process start(List<String> words) throws IOException;
    }

    CommandClient(Command command) {
        this.command = command;
    }

    @Override
    public SubmissionAnswer status(String id) throws IOException, InterruptedException {
        Map<String, String> fields = JsonFields.of(run(List.of("--status", id, "--json")));
        Map<String, String> links = new LinkedHashMap<>();
        fields.forEach((name, value) -> {
            if (name.startsWith(LINKS)) {
                links.put(name.substring(LINKS.length()), value);
            }
        });
        String exit = fields.getOrDefault("exitStatus", "");
        return new SubmissionAnswer(
                fields.getOrDefault("state", ""),
                fields.getOrDefault("message", ""),
                exit.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(exit)),
                links);
    }

    @Override
    public void kill(String id) throws IOException, InterruptedException {
        run(List.of("--kill", id));
    }

    private String run(List<String> words) throws IOException, InterruptedException {
        Process process = command.start(words);
        try {
            AtomicReference<String> errors = new AtomicReference<>("");
            Thread reader = new Thread(() -> errors.set(text(process.getErrorStream())), "hearth-submit-errors");
            reader.setDaemon(true);
            reader.start();
            String output = text(process.getInputStream());
            int status = process.waitFor();
            reader.join();
            if (status == 0) {
                return output;
            }
            String line = errors.get().lines().reduce((first, last) -> last).orElse("exit status " + status);
            if (UNREACHABLE.contains(status)) {
                throw new IOException(line);
            }
            throw new Refused("SUBMISSION_UNKNOWN", line);
        } finally {
            process.destroyForcibly();
        }
    }

    private static String text(InputStream in) {
        try (in) {
            return new String(in.readNBytes(OUTPUT_MAX), StandardCharsets.UTF_8);
        } catch (IOException ended) {
            return "";
        }
    }
}
