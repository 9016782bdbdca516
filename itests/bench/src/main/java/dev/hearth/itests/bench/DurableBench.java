package dev.hearth.itests.bench;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durable submissions per second to a master with {@code recoveryMode=FILESYSTEM}, which is killed while they are sent, and
 * started again: every acknowledged one must be known to it. The drivers wait, as no worker is large enough. Arguments: the
 * directory of the distribution, the seconds to measure after half as many to warm up, and the requests in flight.
 */
public final class DurableBench {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int HALF = 50;
    private static final int ALMOST_ALL = 99;
    private static final Pattern ID = Pattern.compile("\"submissionId\" : \"([^\"]+)\"");

    private DurableBench() {}

    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        Path home = Path.of(arguments[0]);
        long seconds = Long.parseLong(arguments[1]);
        int inFlight = Integer.parseInt(arguments[2]);
        Path directory = Files.createTempDirectory("durable");
        List<Acknowledged> acknowledged;
        try (Master first = new Master(home, directory)) {
            acknowledged = measure(first, seconds, inFlight);
        }
        long started = System.nanoTime();
        try (Master second = new Master(home, directory)) {
            double recovery = (System.nanoTime() - started) / NANOS_PER_MILLI;
            long lost = lost(second, acknowledged);
            System.out.printf(
                    Locale.ROOT,
                    "%d acknowledged before the kill, of which %d are lost; ready again after %.0f ms, %s%n",
                    acknowledged.size(),
                    lost,
                    recovery,
                    second.memory());
        }
    }

    /** Submission whose id the master has sent, and the time to that. */
    private record Acknowledged(String id, long sentNanos, long nanos) {}

    /** Process of a master, which is killed when it is closed. */
    private static final class Master implements AutoCloseable {
        private final Process process;
        private final URI address;

        Master(Path home, Path directory) throws IOException {
            process = new ProcessBuilder(
                            home.resolve("bin/hearth").toString(),
                            "master",
                            "--port",
                            "0",
                            "--conf",
                            "hearth.deploy.recoveryMode=FILESYSTEM",
                            "--conf",
                            "hearth.deploy.submissionsMax=1000000",
                            "--conf",
                            "hearth.master.dir=" + directory)
                    .redirectError(directory.resolve("errors").toFile())
                    .start();
            String line = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
            if (line == null) {
                throw new IOException("master: did not start; see " + directory.resolve("errors"));
            }
            address = URI.create(line.replace("hearth://", "http://"));
        }

        /** Resident memory of the process, as Linux says. */
        String memory() throws IOException {
            return Files.readAllLines(Path.of("/proc", String.valueOf(process.pid()), "status")).stream()
                    .filter(line -> line.startsWith("VmRSS"))
                    .findFirst()
                    .map(line -> line.replaceAll("\\s+", " "))
                    .orElse("memory unknown");
        }

        @Override
        public void close() {
            process.destroyForcibly();
            process.onExit().join();
        }
    }

    private static List<Acknowledged> measure(Master master, long seconds, int inFlight)
            throws InterruptedException, ExecutionException, IOException {
        long from = System.nanoTime() + seconds * NANOS_PER_SECOND / 2;
        ExecutorService clients = Executors.newFixedThreadPool(inFlight);
        List<Future<List<Acknowledged>>> running = new ArrayList<>();
        for (int i = 0; i < inFlight; i++) {
            String name = "durable-" + ProcessHandle.current().pid() + "-" + i;
            running.add(clients.submit(() -> client(master.address, name)));
        }
        clients.shutdown();
        // the clients end with the master
        clients.awaitTermination(from + seconds * NANOS_PER_SECOND - System.nanoTime(), TimeUnit.NANOSECONDS);
        String memory = master.memory();
        master.close(); // while requests are under way
        long until = from + seconds * NANOS_PER_SECOND;
        List<Acknowledged> all = new ArrayList<>();
        for (Future<List<Acknowledged>> each : running) {
            all.addAll(each.get());
        }
        long[] nanos = all.stream()
                .filter(one -> one.sentNanos() >= from && one.sentNanos() < until)
                .mapToLong(Acknowledged::nanos)
                .sorted()
                .toArray();
        System.out.printf(
                Locale.ROOT,
                "%d durable submissions in %d s: %.0f/s; acknowledged in %.2f ms (p50), %.2f ms (p99), %.2f ms (all); %s%n",
                nanos.length,
                seconds,
                (double) nanos.length / seconds,
                SubmitBench.percentile(nanos, HALF),
                SubmitBench.percentile(nanos, ALMOST_ALL),
                Arrays.stream(nanos).max().orElse(0) / NANOS_PER_MILLI,
                memory);
        return all;
    }

    /** Submits one after another over one connection, until the master is killed. */
    private static List<Acknowledged> client(URI address, String name) {
        List<Acknowledged> acknowledged = new ArrayList<>();
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.setTcpNoDelay(true);
            OutputStream out = socket.getOutputStream();
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (int n = 0; ; n++) {
                byte[] request = SubmitBench.request(
                        address, name + "-" + n, address.toString().replace("http:", "spark:"));
                long sent = System.nanoTime();
                out.write(request);
                out.flush();
                String answer = SubmitBench.read(in);
                Matcher id = ID.matcher(answer);
                if (answer.contains("\"success\" : true") && id.find()) {
                    acknowledged.add(new Acknowledged(id.group(1), sent, System.nanoTime() - sent));
                }
            }
        } catch (IOException killed) {
            return acknowledged;
        }
    }

    /** Number of submissions that the master does not know. */
    private static long lost(Master master, List<Acknowledged> acknowledged) throws IOException {
        long lost = 0;
        try (Socket socket = new Socket(master.address.getHost(), master.address.getPort())) {
            socket.setTcpNoDelay(true);
            OutputStream out = socket.getOutputStream();
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (Acknowledged each : acknowledged) {
                String request = "GET /v1/submissions/status/" + each.id() + " HTTP/1.1\r\nHost: "
                        + master.address.getAuthority() + "\r\n\r\n";
                out.write(request.getBytes(StandardCharsets.US_ASCII));
                out.flush();
                lost += SubmitBench.read(in).contains("\"driverState\" : \"SUBMITTED\"") ? 0 : 1;
            }
        }
        return lost;
    }
}
