package dev.hearth.engine.internal.driver.racks;

import dev.hearth.spi.cluster.RackResolver;
import dev.hearth.spi.settings.Secrets;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Racks from a program, called as Hadoop calls its script: with hosts as arguments, and with one rack for each of them
 * on its standard output. A call has at most {@code hostsMax} arguments and ends within {@link #SECONDS_MAX}. The
 * program does not inherit variables whose names are those of secrets. Stateless.
 */
record ScriptRackResolver(Path script, int hostsMax) implements RackResolver {
    static final int SECONDS_MAX = 30;
    private static final int OUTPUT_BYTES_MAX = 1 << 20;
    private static final int ERRORS_BYTES_MAX = 500;
    /** Hosts that are passed as arguments: nothing that the program could take for an option or a path. */
    private static final Pattern HOST = Pattern.compile("[\\p{Alnum}_\\[][\\p{Alnum}._:%\\[\\]-]*");

    @Override
    public Map<String, String> racks(List<String> hosts) throws IOException, InterruptedException {
        List<String> callable =
                hosts.stream().filter(host -> HOST.matcher(host).matches()).toList();
        Map<String, String> racks = new LinkedHashMap<>();
        for (int from = 0; from < callable.size(); from += hostsMax) {
            List<String> part = callable.subList(from, Math.min(callable.size(), from + hostsMax));
            List<String> printed = call(part);
            for (int index = 0; index < part.size(); index++) {
                racks.put(part.get(index), printed.get(index));
            }
        }
        return racks;
    }

    private List<String> call(List<String> hosts) throws IOException, InterruptedException {
        Path output = Files.createTempFile("hearth-racks", ".out"); // files, because reading pipes has no time limit
        Path errors = Files.createTempFile("hearth-racks", ".err");
        try {
            int status = run(hosts, output.toFile(), errors.toFile());
            if (status != 0) {
                throw new IOException("script " + script + ": exit status " + status + ", "
                        + start(errors, ERRORS_BYTES_MAX).strip() + " (expected: 0)");
            }
            String printed = start(output, OUTPUT_BYTES_MAX).strip();
            List<String> racks = printed.isEmpty() ? List.of() : List.of(printed.split("\\s+", -1));
            if (racks.size() != hosts.size()) {
                throw new IOException("script " + script + ": " + racks.size() + " racks for " + hosts.size()
                        + " hosts (expected: one for each)");
            }
            return racks;
        } finally {
            Files.deleteIfExists(output);
            Files.deleteIfExists(errors);
        }
    }

    private int run(List<String> hosts, File output, File errors) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(hosts);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(output).redirectError(errors);
        builder.environment().keySet().removeIf(Secrets::isSecret);
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new IOException("script " + script + ": still running after " + SECONDS_MAX
                        + " s (expected: an end within that time)");
            }
            return process.exitValue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static String start(Path file, int bytesMax) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(bytesMax), StandardCharsets.UTF_8);
        }
    }
}
