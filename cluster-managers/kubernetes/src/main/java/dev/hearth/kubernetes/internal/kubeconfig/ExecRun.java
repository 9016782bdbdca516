package dev.hearth.kubernetes.internal.kubeconfig;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs a plug-in for credentials as a child process without a terminal, and bounds its time and output. Stateless. */
public final class ExecRun {
    /** Time that a plug-in has. */
    public static final Duration TIME_MAX = Duration.ofSeconds(30);

    static final int OUTPUT_BYTES_MAX = 1024 * 1024;
    static final int ERROR_BYTES_MAX = 64 * 1024;
    static final int WORDS_MAX = 500;
    private static final Duration CLOSE_MAX = Duration.ofSeconds(2);

    private ExecRun() {}

    /** Runs {@code plugin}. Blocks. Fails in one line with its last words, its exit status or how to install it. */
    public static ExecCredential run(ExecPlugin plugin, Duration bound) throws IOException, InterruptedException {
        Process process = start(plugin);
        try {
            process.getOutputStream().close(); // it has no terminal to ask at
            CompletableFuture<byte[]> errors = read(process.getErrorStream(), ERROR_BYTES_MAX);
            CompletableFuture<byte[]> output = read(process.getInputStream(), OUTPUT_BYTES_MAX);
            if (!process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
                end(process);
                throw new IOException(plugin + ": no answer within " + bound.toSeconds() + " s" + words(errors)
                        + " (expected: an ExecCredential); run it by hand");
            }
            if (process.exitValue() != 0) {
                throw new IOException(plugin + ": exit status " + process.exitValue() + words(errors)
                        + " (expected: 0); run it by hand");
            }
            try {
                return ExecCredential.parse(await(output), plugin.apiVersion());
            } catch (IOException malformed) {
                throw new IOException(plugin + ": " + malformed.getMessage(), malformed);
            }
        } finally {
            end(process);
        }
    }

    private static Process start(ExecPlugin plugin) throws IOException {
        List<String> command = new ArrayList<>(List.of(plugin.command()));
        command.addAll(plugin.arguments());
        ProcessBuilder builder = new ProcessBuilder(command);
        Map<String, String> environment = builder.environment();
        environment.putAll(plugin.environment());
        environment.put("KUBERNETES_EXEC_INFO", info(plugin));
        try {
            return builder.start();
        } catch (IOException missing) {
            String hint = plugin.installHint().isEmpty()
                    ? "install it, or write its whole path into the kubeconfig file"
                    : oneLine(plugin.installHint());
            throw new IOException(
                    plugin + ": cannot be run (expected: a program in PATH, or a path); " + hint, missing);
        }
    }

    /** Description of the caller for the plug-in. */
    static String info(ExecPlugin plugin) throws IOException {
        ObjectNode info = Json.object().put("kind", "ExecCredential").put("apiVersion", plugin.apiVersion());
        ObjectNode spec = info.putObject("spec").put("interactive", false);
        if (!plugin.cluster().isEmpty()) {
            spec.set("cluster", Json.read(plugin.cluster().getBytes(UTF_8)));
        }
        return Json.text(info);
    }

    /** Reads a stream to its end; keeps its first {@code bytesMax} bytes, so that the child never waits for a reader. */
    private static CompletableFuture<byte[]> read(InputStream from, int bytesMax) {
        CompletableFuture<byte[]> whole = new CompletableFuture<>();
        Thread reader = new Thread(
                () -> {
                    ByteArrayOutputStream kept = new ByteArrayOutputStream();
                    byte[] buffer = new byte[8192];
                    try (from) {
                        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                            kept.write(buffer, 0, Math.min(read, bytesMax - kept.size()));
                        }
                        whole.complete(kept.toByteArray());
                    } catch (IOException closed) {
                        whole.complete(kept.toByteArray()); // the process was ended
                    }
                },
                "hearth-kubernetes-exec");
        reader.setDaemon(true);
        reader.setContextClassLoader(ExecRun.class.getClassLoader()); // not the application\'s
        reader.start();
        return whole;
    }

    /** A child of the plug-in may keep the stream open. */
    private static byte[] await(CompletableFuture<byte[]> whole) throws IOException, InterruptedException {
        try {
            return whole.get(CLOSE_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException open) {
            throw new IOException("its output stays open after its end (expected: an ExecCredential)", open);
        }
    }

    private static String words(CompletableFuture<byte[]> errors) throws InterruptedException {
        try {
            String text = oneLine(new String(await(errors), UTF_8));
            return text.isEmpty() ? "" : ", " + text;
        } catch (IOException open) {
            return ""; // the exit status says enough
        }
    }

    private static String oneLine(String text) {
        String line = text.strip().replaceAll("\\s*[\\r\\n]+\\s*", "; ").replaceAll("\\p{Cntrl}", " ");
        return line.length() > WORDS_MAX ? line.substring(line.length() - WORDS_MAX) : line;
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
