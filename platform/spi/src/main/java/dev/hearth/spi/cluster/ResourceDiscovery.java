package dev.hearth.spi.cluster;

import dev.hearth.api.HearthException;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.PrintableText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Finds the addresses of resources on this machine: by discovery scripts, or in a file of the form of Spark's. A script
 * writes {@code {"name": "gpu", "addresses": ["0", "1"]}}; its time and its output are bounded. All methods may block and
 * fail with {@code RESOURCE_MISSING}.
 */
public final class ResourceDiscovery {
    /** Bound on the run time of a discovery script. */
    static final Duration SCRIPT_TIME_MAX = Duration.ofSeconds(60);
    /** Bound on the output of a discovery script, and on the size of a file with resources. */
    static final int OUTPUT_BYTES_MAX = 1024 * 1024;

    private ResourceDiscovery() {}

    /**
     * The addresses that a process may use, by resource, in the order of {@code requests}: those in {@code given}, which
     * its cluster manager chose, otherwise those of the settings or of a discovery script; as many as requested. {@code owner} is
     * the process in messages.
     */
    public static Map<String, ResourceInformation> find(
            String owner, Map<String, ResourceRequest> requests, Map<String, ResourceInformation> given) {
        return find(owner, requests, given, SCRIPT_TIME_MAX);
    }

    static Map<String, ResourceInformation> find(
            String owner,
            Map<String, ResourceRequest> requests,
            Map<String, ResourceInformation> given,
            Duration timeMax) {
        Map<String, ResourceInformation> found = new LinkedHashMap<>();
        for (ResourceRequest request : requests.values()) {
            ResourceInformation known = given.get(request.name());
            List<String> addresses = known != null
                    ? known.addresses()
                    : request.addresses().isEmpty() ? run(owner, request, timeMax) : request.addresses();
            found.put(request.name(), new ResourceInformation(request.name(), request.choose(owner, addresses)));
        }
        return Collections.unmodifiableMap(found);
    }

    /** The addresses that the resources file {@code file} lists for {@code component}, such as {@code spark.worker}. */
    public static Map<String, ResourceInformation> ofFile(Path file, String component) {
        Map<String, ResourceInformation> found = new LinkedHashMap<>();
        try {
            if (Files.size(file) > OUTPUT_BYTES_MAX) {
                throw failure("resources file " + file, Files.size(file) + " bytes", "at most " + OUTPUT_BYTES_MAX);
            }
            for (Object entry : JsonReader.asList(JsonReader.read(Files.readString(file)))) {
                Map<String, Object> allocation = JsonReader.asObject(entry);
                Map<String, Object> id = JsonReader.asObject(allocation.get("id"));
                if (component.equals(id.get("componentName"))) {
                    String name = JsonReader.asText(id.get("resourceName"));
                    add(found, name, JsonReader.asTexts(allocation.get("addresses")));
                }
            }
            return found;
        } catch (IOException | IllegalArgumentException broken) {
            throw failure(
                    "resources file " + file,
                    String.valueOf(broken),
                    "[{\"id\":{\"componentName\":\"" + component
                            + "\",\"resourceName\":\"gpu\"},\"addresses\":[\"0\"]}]",
                    broken);
        }
    }

    private static void add(Map<String, ResourceInformation> found, String name, List<String> addresses) {
        if (found.put(name, information(name, addresses)) != null) {
            throw new IllegalArgumentException("resource " + name + " twice (expected: once)");
        }
    }

    private static ResourceInformation information(String name, List<String> addresses) {
        if (new LinkedHashSet<>(addresses).size() < addresses.size()) {
            throw new IllegalArgumentException(
                    "addresses " + addresses + " of resource " + name + " (expected: each of them once)");
        }
        if (addresses.stream().anyMatch(address -> address.isBlank() || address.indexOf(',') >= 0)) {
            throw new IllegalArgumentException(
                    "addresses " + addresses + " of resource " + name + " (expected: none empty or with a comma)");
        }
        return new ResourceInformation(name, addresses);
    }

    private static List<String> run(String owner, ResourceRequest request, Duration timeMax) {
        String subject = owner + ": resource " + request.name();
        if (request.discoveryScript().isEmpty()) {
            throw failure(
                    subject,
                    "no addresses",
                    "addresses from the cluster manager, or the setting NAME.discoveryScript or NAME.addresses");
        }
        String script = subject + ": discovery script " + request.discoveryScript();
        String output = output(script, request.discoveryScript(), timeMax);
        try {
            Map<String, Object> answer = JsonReader.readObject(output);
            String name = JsonReader.asText(answer.get("name"));
            if (!name.equals(request.name())) {
                throw new IllegalArgumentException("resource " + name + " (expected: " + request.name() + ")");
            }
            return information(name, JsonReader.asTexts(answer.get("addresses")))
                    .addresses();
        } catch (IllegalArgumentException broken) {
            throw failure(
                    script,
                    broken.getMessage() + " in its output '" + PrintableText.line(shortened(output)) + "'",
                    "{\"name\":\"" + request.name() + "\",\"addresses\":[\"0\"]}",
                    broken);
        }
    }

    private static String output(String subject, String script, Duration timeMax) {
        Process process;
        try {
            process = new ProcessBuilder(script)
                    .redirectError(ProcessBuilder.Redirect.INHERIT) // the log of this process
                    .start();
        } catch (IOException notStarted) {
            throw failure(subject, String.valueOf(notStarted.getMessage()), "a program on this machine", notStarted);
        }
        try {
            process.getOutputStream().close();
            CompletableFuture<byte[]> reading = new CompletableFuture<>();
            Thread reader = new Thread(() -> read(process, reading), "hearth-discovery");
            reader.setDaemon(true);
            reader.start();
            byte[] bytes = reading.get(timeMax.toMillis(), TimeUnit.MILLISECONDS);
            if (bytes.length > OUTPUT_BYTES_MAX) {
                throw failure(subject, "too much output", "at most " + OUTPUT_BYTES_MAX + " bytes");
            }
            if (!process.waitFor(timeMax.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new TimeoutException("output closed, but still running");
            }
            if (process.exitValue() != 0) {
                throw failure(subject, "exit status " + process.exitValue(), "0; see the log of this process");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (TimeoutException late) {
            throw failure(subject, "still running after " + timeMax.toMillis() + " ms", "an end within that", late);
        } catch (IOException | ExecutionException unread) {
            throw failure(subject, "its output cannot be read: " + unread, "a readable output", unread);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw failure(subject, "interrupted", "time to finish", interrupted);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static void read(Process process, CompletableFuture<byte[]> reading) {
        try (InputStream output = process.getInputStream()) {
            reading.complete(output.readNBytes(OUTPUT_BYTES_MAX + 1));
        } catch (IOException | RuntimeException unread) {
            reading.completeExceptionally(unread);
        }
    }

    private static String shortened(String output) {
        int shown = 200;
        return output.length() > shown ? output.substring(0, shown) + "..." : output.strip();
    }

    private static HearthException failure(String subject, String found, String expected) {
        return ErrorCode.RESOURCE_MISSING.failure(subject + ": " + found + " (expected: " + expected + ")");
    }

    private static HearthException failure(String subject, String found, String expected, Throwable cause) {
        return ErrorCode.RESOURCE_MISSING.failure(subject + ": " + found + " (expected: " + expected + ")", cause);
    }
}
