package dev.hearth.standalone.internal.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Process of a master with a log in files, which is killed when it is closed. */
final class BenchMaster implements AutoCloseable {
    private static final double TICKS_PER_SECOND = 100; // of the kernel, in /proc
    private static final int USER_TICKS = 11; // fields of /proc/PID/stat after the name
    private static final String LOOP = "master"; // name of the thread of its event loop
    private static final double KIBIBYTES_PER_MEBIBYTE = 1024;

    private final Process process;
    private final URI address;
    private final HttpClient http = HttpClient.newHttpClient();

    /** Starts {@code home}'s master with its facts in {@code directory} and waits until it leads. */
    BenchMaster(Path home, Path directory, int port, List<String> settings) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                home.resolve("bin/hearth").toString(),
                "master",
                "--port",
                String.valueOf(port),
                "--conf",
                "hearth.deploy.recoveryMode=FILESYSTEM",
                "--conf",
                "hearth.deploy.submissionsMax=1000000",
                "--conf",
                "hearth.master.dir=" + directory));
        settings.forEach(setting -> command.addAll(List.of("--conf", setting)));
        process = new ProcessBuilder(command)
                .redirectError(directory.resolve("errors").toFile())
                .start();
        String line =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
        if (line == null) {
            throw new IOException("master: did not start; see " + directory.resolve("errors"));
        }
        address = URI.create(line.replace("hearth://", "http://"));
    }

    URI address() {
        return address;
    }

    /** Resident memory in MiB, as Linux says. */
    double mebibytes() throws IOException {
        return Files.readAllLines(proc().resolve("status")).stream()
                        .filter(line -> line.startsWith("VmRSS"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .sum()
                / KIBIBYTES_PER_MEBIBYTE;
    }

    /** CPU seconds that all threads have used. */
    double cpuSeconds() throws IOException {
        return cpuSeconds(proc());
    }

    /** CPU seconds that the loop of the master has used. */
    double loopSeconds() throws IOException {
        try (Stream<Path> threads = Files.list(proc().resolve("task"))) {
            double seconds = 0;
            for (Path thread : threads.toList()) {
                try {
                    if (Files.readString(thread.resolve("comm")).strip().equals(LOOP)) {
                        seconds += cpuSeconds(thread);
                    }
                } catch (NoSuchFileException ended) {
                    continue; // another thread, as the loop lives as long as the process
                }
            }
            return seconds;
        }
    }

    private Path proc() {
        return Path.of("/proc", String.valueOf(process.pid()));
    }

    private static double cpuSeconds(Path thread) throws IOException {
        String stat = Files.readString(thread.resolve("stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[USER_TICKS + 1])) / TICKS_PER_SECOND;
    }

    /** The answer of the master at {@code path}. */
    String page(String path) throws IOException {
        return send(HttpRequest.newBuilder(address.resolve(path)));
    }

    /** Submits a driver of 32 MiB as the request {@code id}; fails if it is not accepted. */
    void submit(String id) throws IOException {
        String body = """
                {"action":"CreateSubmissionRequest","clientSparkVersion":"4.2.0","appResource":"/opt/app.jar",
                 "mainClass":"example.Main","appArgs":["%s"],"environmentVariables":{"SPARK_A":"b"},
                 "sparkProperties":{"spark.master":"spark://h:7077","spark.app.name":"bench","spark.driver.memory":"32m",
                 "spark.driver.cores":"1","spark.executor.memory":"1g","spark.eventLog.enabled":"false"}}
                """.formatted(id);
        String answer = send(HttpRequest.newBuilder(address.resolve("/v1/submissions/create"))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", id)
                .POST(HttpRequest.BodyPublishers.ofString(body)));
        if (!answer.contains("\"success\" : true")) {
            throw new IOException("not accepted: " + answer);
        }
    }

    private String send(HttpRequest.Builder request) throws IOException {
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", stopped);
        }
    }

    /** The load of the machine, for a figure. */
    static String load() throws IOException {
        return "load "
                + String.format(
                        Locale.ROOT,
                        "%s",
                        Files.readString(Path.of("/proc/loadavg")).split(" ", -1)[0]);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
