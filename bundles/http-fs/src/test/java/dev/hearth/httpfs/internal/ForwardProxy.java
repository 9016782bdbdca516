package dev.hearth.httpfs.internal;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Forward proxy for HTTP on this machine: it takes requests with whole addresses, passes each on over a connection of its
 * own, and leads all hosts to one server. The JVM uses it while it is open. It can demand a password.
 */
final class ForwardProxy implements AutoCloseable {
    private static final List<String> PROPERTIES = List.of("http.proxyHost", "http.proxyPort", "http.nonProxyHosts");

    /** Request lines, as they came. */
    final List<String> requests = new CopyOnWriteArrayList<>();

    private final int target;
    private final boolean refuses;
    private final ServerSocket server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, String> before = new LinkedHashMap<>();

    /** Opens a proxy before the server at the port {@code target}; {@code refuses} says that it admits no client. */
    ForwardProxy(int target, boolean refuses) throws IOException {
        this.target = target;
        this.refuses = refuses;
        PROPERTIES.forEach(name -> before.put(name, System.getProperty(name)));
        use("127.0.0.1", server.getLocalPort());
        threads.execute(this::accept);
    }

    /** Lets the JVM use the proxy {@code host}, until this is closed. */
    static void use(String host, int port) {
        System.setProperty("http.proxyHost", host);
        System.setProperty("http.proxyPort", String.valueOf(port));
        System.setProperty("http.nonProxyHosts", "direct.example|127.0.0.1");
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                threads.execute(() -> serve(client));
            } catch (IOException closed) {
                assert server.isClosed() : closed;
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket there = new Socket(InetAddress.getLoopbackAddress(), target)) {
            String head = head(new BufferedInputStream(client.getInputStream()));
            String[] first = head.substring(0, head.indexOf("\r\n")).split(" ", -1);
            requests.add(first[0] + " " + first[1]);
            OutputStream back = client.getOutputStream();
            if (refuses) {
                back.write("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII));
                return;
            }
            String path = first[1].replaceFirst("http://[^/]+", "");
            String passed = head.replace(first[1] + " ", path + " ")
                    .replaceFirst("(?i)\r\n(proxy-)?connection: [^\r]*", "\r\nConnection: close");
            there.getOutputStream().write(passed.getBytes(StandardCharsets.US_ASCII));
            there.getInputStream().transferTo(back);
        } catch (IOException ended) {
            requests.add("cut: " + ended); // shown by a test that fails
        }
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no request");
            }
            head.write(next);
        }
        return head.toString(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        before.forEach((name, value) -> {
            if (value == null) {
                System.clearProperty(name);
            } else {
                System.setProperty(name, value);
            }
        });
        server.close();
        threads.shutdownNow();
    }
}
