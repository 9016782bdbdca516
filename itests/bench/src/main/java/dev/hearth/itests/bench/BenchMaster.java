package dev.hearth.itests.bench;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Process of a master, by default with a log in files, which is killed when it is closed. */
final class BenchMaster implements AutoCloseable {
    private static final double TICKS_PER_SECOND = 100; // of the kernel, in /proc
    private static final int USER_TICKS = 11; // fields of /proc/PID/stat after the name
    private static final String LOOP = "master"; // name of the thread of its event loop
    /** Setting of a master that forgets all when it ends. */
    static final String WITHOUT_LOG = "hearth.deploy.recoveryMode=NONE";

    private static final double KIBIBYTES_PER_MEBIBYTE = 1024;

    private final Process process;
    private final URI address;

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
                if (Files.readString(thread.resolve("comm")).strip().equals(LOOP)) {
                    seconds += cpuSeconds(thread);
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
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[USER_TICKS + 1])) / TICKS_PER_SECOND;
    }

    /** What the master says at {@code path}. */
    String page(String path) throws IOException {
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            String request = "GET " + path + " HTTP/1.1\r\nHost: " + address.getAuthority() + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            InputStream in = new BufferedInputStream(socket.getInputStream());
            return SubmitBench.read(in);
        }
    }

    /** The load of the machine, for a figure. */
    static String load() throws IOException {
        return "load "
                + String.format(
                        Locale.ROOT,
                        "%s",
                        Files.readString(Path.of("/proc/loadavg")).split(" ")[0]);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
