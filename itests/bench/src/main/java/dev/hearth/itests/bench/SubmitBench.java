package dev.hearth.itests.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Submissions per second by HTTP, to a master or to a process of role serve, and the time to the acknowledgement of each.
 * The drivers ask for more memory than any worker has, so that they wait and no process starts. Arguments: the URL, the
 * seconds to measure after half as many to warm up, the requests in flight, and the master for {@code spark.master}.
 */
public final class SubmitBench {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int HALF = 50;
    private static final int ALMOST_ALL = 99;

    private SubmitBench() {}

    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        URI address = URI.create(arguments[0]);
        long seconds = Long.parseLong(arguments[1]);
        int inFlight = Integer.parseInt(arguments[2]);
        String master = arguments[3];
        ExecutorService clients = Executors.newFixedThreadPool(inFlight);
        long from = System.nanoTime() + seconds * NANOS_PER_SECOND / 2;
        long until = from + seconds * NANOS_PER_SECOND;
        List<Future<long[]>> running = new ArrayList<>();
        for (int i = 0; i < inFlight; i++) {
            String name = "bench-" + ProcessHandle.current().pid() + "-" + i;
            running.add(clients.submit(() -> client(address, name, master, from, until)));
        }
        List<long[]> answered = new ArrayList<>();
        for (Future<long[]> each : running) {
            answered.add(each.get());
        }
        clients.shutdown();
        long[] nanos = answered.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        System.out.printf(
                Locale.ROOT,
                "%d submissions in %d s: %.0f/s; acknowledged in %.2f ms (p50), %.2f ms (p99), %.2f ms (all)%n",
                nanos.length,
                seconds,
                (double) nanos.length / seconds,
                percentile(nanos, HALF),
                percentile(nanos, ALMOST_ALL),
                nanos.length == 0 ? 0 : nanos[nanos.length - 1] / NANOS_PER_MILLI);
    }

    static double percentile(long[] sorted, int percent) {
        return sorted.length == 0 ? 0 : sorted[(int) ((long) (sorted.length - 1) * percent / 100)] / NANOS_PER_MILLI;
    }

    /** Submits one after another over one connection; returns the times of those sent within the bounds. */
    private static long[] client(URI address, String name, String master, long from, long until) throws IOException {
        long[] times = new long[1024];
        int count = 0;
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.setTcpNoDelay(true);
            OutputStream out = socket.getOutputStream();
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (int n = 0; ; n++) {
                byte[] request = request(address, name + "-" + n, master);
                long sent = System.nanoTime();
                if (sent >= until) {
                    return Arrays.copyOf(times, count);
                }
                out.write(request);
                out.flush();
                String answer = read(in);
                if (!answer.contains("\"success\" : true")) {
                    throw new IOException("not accepted: " + answer);
                }
                if (sent >= from) {
                    times = count == times.length ? Arrays.copyOf(times, 2 * count) : times;
                    times[count++] = System.nanoTime() - sent;
                }
            }
        }
    }

    static byte[] request(URI address, String id, String master) {
        String body = """
                {"action":"CreateSubmissionRequest","clientSparkVersion":"4.2.0","appResource":"/opt/app.jar",
                 "mainClass":"example.Main","appArgs":["%s"],"environmentVariables":{"SPARK_A":"b"},
                 "sparkProperties":{"spark.master":"%s","spark.app.name":"bench","spark.driver.memory":"1000g",
                 "spark.driver.cores":"1","spark.executor.memory":"1g","spark.eventLog.enabled":"false"}}
                """.formatted(id, master);
        String head = "POST /v1/submissions/create HTTP/1.1\r\nHost: " + address.getAuthority()
                + "\r\nContent-Type: application/json\r\nIdempotency-Key: " + id + "\r\nContent-Length: "
                + body.length() + "\r\n\r\n";
        return (head + body).getBytes(StandardCharsets.US_ASCII);
    }

    static String read(InputStream in) throws IOException {
        int length = -1;
        String line = line(in);
        while (!line.isEmpty()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
            }
            line = line(in);
        }
        return new String(in.readNBytes(Math.max(0, length)), StandardCharsets.UTF_8);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("the connection ended");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }
}
