package dev.hearth.kubernetes.internal.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/**
 * Server of HTTP/1.1 and WebSockets over sockets, with or without TLS, that does with each byte what a test demands. It is
 * a proxy, too: requests with whole URLs are answered, and tunnels lead to the server of {@link #tunnelTo}.
 */
final class StubApiServer implements AutoCloseable {
    /** Answers a request. What it throws ends the connection without an answer. */
    @FunctionalInterface
    interface Handler {
        void handle(Exchange exchange) throws Exception;
    }

    final List<Request> requests = new CopyOnWriteArrayList<>();
    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "stub");
        thread.setDaemon(true);
        return thread;
    });
    private volatile Handler handler = exchange -> exchange.reply(404, "{}");
    private volatile int tunnel;

    private StubApiServer(ServerSocket listening) {
        this.listening = listening;
        threads.execute(this::accept);
    }

    static StubApiServer plain() throws IOException {
        return new StubApiServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    }

    static StubApiServer secure(SSLContext context) throws IOException {
        ServerSocket listening =
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        ((SSLServerSocket) listening).setWantClientAuth(true);
        return new StubApiServer(listening);
    }

    int port() {
        return listening.getLocalPort();
    }

    void answer(Handler other) {
        handler = other;
    }

    void tunnelTo(int port) {
        tunnel = port;
    }

    /** The methods and targets of all requests, each with the header {@code Authorization}. */
    List<String> log() {
        return requests.stream().map(Request::line).toList();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listening.accept();
                open.add(socket);
                threads.execute(() -> serve(socket));
            }
        } catch (IOException | RejectedExecutionException closed) {
            // the end of the test
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (Request request = read(in); request != null; request = read(in)) {
                requests.add(request);
                if (request.method.equals("CONNECT")) {
                    relay(socket, in);
                    return;
                }
                Exchange exchange = new Exchange(request, socket, in);
                handler.handle(exchange);
                if (exchange.isOver) {
                    return;
                }
            }
        } catch (Exception ended) {
            // the client sees the end of the connection
        } finally {
            open.remove(socket);
        }
    }

    private void relay(Socket socket, InputStream in) throws IOException {
        try (Socket far = new Socket(InetAddress.getLoopbackAddress(), tunnel)) {
            socket.getOutputStream().write("HTTP/1.1 200 Connected\r\n\r\n".getBytes(ISO_8859_1));
            threads.execute(() -> {
                try {
                    far.getInputStream().transferTo(socket.getOutputStream());
                    socket.close();
                } catch (IOException closed) {
                    // by either end
                }
            });
            in.transferTo(far.getOutputStream());
        }
    }

    private static Request read(InputStream in) throws IOException {
        String first = line(in);
        if (first == null) {
            return null;
        }
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.merge(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip(),
                    (one, two) -> one + "," + two);
        }
        String[] parts = first.split(" ", -1);
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new Request(parts[0], parts[1], headers, new String(in.readNBytes(length), UTF_8));
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0; next = in.read()) {
            if (next == '\n') {
                return line.toString(ISO_8859_1).stripTrailing();
            }
            line.write(next);
        }
        return null;
    }

    /** Ends all connections. */
    void disconnect() {
        open.forEach(StubApiServer::closeQuietly);
    }

    @Override
    public void close() throws IOException {
        listening.close();
        disconnect();
        threads.shutdownNow();
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Request; the names of its headers are in small letters. */
    record Request(String method, String target, Map<String, String> headers, String body) {
        String line() {
            return method + " " + target + " " + headers.getOrDefault("authorization", "-");
        }
    }

    /** One request and the connection for its answer. */
    static final class Exchange {
        final Request request;
        final Socket socket;
        final InputStream in;
        final OutputStream out;
        private boolean isOver;

        Exchange(Request request, Socket socket, InputStream in) throws IOException {
            this.request = request;
            this.socket = socket;
            this.in = in;
            this.out = socket.getOutputStream();
        }

        void reply(int status, String body, String... headers) throws IOException {
            byte[] bytes = body.getBytes(UTF_8);
            head(status, headers, "Content-Length: " + bytes.length);
            out.write(bytes);
            out.flush();
        }

        private void head(int status, String[] headers, String last) throws IOException {
            StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " X\r\nContent-Type: application/json\r\n");
            for (String header : headers) {
                head.append(header).append("\r\n");
            }
            out.write(head.append(last).append("\r\n\r\n").toString().getBytes(ISO_8859_1));
        }

        /** Begins an answer of unknown length, which {@link #chunk} continues. */
        void begin(int status) throws IOException {
            head(status, new String[0], "Transfer-Encoding: chunked");
            out.flush();
        }

        void chunk(byte[] bytes) throws IOException {
            out.write((Integer.toHexString(bytes.length) + "\r\n").getBytes(ISO_8859_1));
            out.write(bytes);
            out.write("\r\n".getBytes(ISO_8859_1));
            out.flush();
        }

        void chunk(String text) throws IOException {
            chunk(text.getBytes(UTF_8));
        }

        void endChunks() throws IOException {
            out.write("0\r\n\r\n".getBytes(ISO_8859_1));
            out.flush();
        }

        /** Ends the connection by a reset, as a server that is killed. */
        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
            isOver = true;
        }

        /** Accepts a WebSocket, and ends with it. */
        StubWebSocket upgrade() throws Exception {
            isOver = true;
            String key = request.headers.get("sec-websocket-key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
            byte[] hash = MessageDigest.getInstance("SHA-1").digest(key.getBytes(ISO_8859_1));
            out.write(("HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Protocol: "
                            + request.headers.getOrDefault("sec-websocket-protocol", "") + "\r\nSec-WebSocket-Accept: "
                            + Base64.getEncoder().encodeToString(hash) + "\r\n\r\n")
                    .getBytes(ISO_8859_1));
            out.flush();
            return new StubWebSocket(in, out);
        }
    }
}
