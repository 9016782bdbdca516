package dev.hearth.httpfs.internal;

import dev.hearth.spi.storage.StoreException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Connection for one request, with the client of {@link HttpURLConnection}: it bounds each read in time, uses the
 * proxies of the JVM, and needs no threads of its own. Follows redirects itself, because a password is for the server of
 * the address alone. Used by one thread; any thread may call {@link #close}, which ends a read.
 */
final class FileConnection implements AutoCloseable {
    private static final int REDIRECTS_MAX = 5;
    /** Age at which a file counts as settled: its time of change then identifies its bytes. */
    private static final long SETTLED_MILLIS = 60_000;

    private final Duration connectTimeout;
    private final Duration readTimeout;
    private volatile boolean closed;
    private volatile @Nullable HttpURLConnection connection; // that of the last request

    /** {@code readTimeout} is the maximum time without a byte. */
    FileConnection(Duration connectTimeout, Duration readTimeout) {
        this.connectTimeout = connectTimeout;
        this.readTimeout = readTimeout;
    }

    /** Sends a request for {@code address}, and returns the begin of its response, after redirects. */
    AnswerHead ask(HttpAddress address, Map<String, String> headers) throws IOException {
        return guarded(() -> follow(address, headers));
    }

    /** The proxy by which the JVM sends requests for {@code target}, as HOST:PORT; empty if it sends them directly. */
    static Optional<String> proxy(URI target) {
        ProxySelector proxies = ProxySelector.getDefault();
        return proxies == null
                ? Optional.empty()
                : proxies.select(target).stream()
                        .limit(1)
                        .filter(first -> first.address() instanceof InetSocketAddress)
                        .map(first -> (InetSocketAddress) first.address())
                        .map(address -> address.getHostString() + ":" + address.getPort())
                        .findFirst();
    }

    /** Operation of Java's client, which throws any exception if its connection is closed meanwhile. */
    private interface Operation<T> {
        T run() throws IOException;
    }

    private <T> T guarded(Operation<T> operation) throws IOException {
        try {
            return operation.run();
        } catch (RuntimeException failure) {
            if (closed) {
                throw new IOException("the transfer was stopped", failure);
            }
            throw failure;
        }
    }

    private AnswerHead follow(HttpAddress address, Map<String, String> headers) throws IOException {
        URI target = address.target();
        for (int redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
            HttpURLConnection sent = send(address, target, headers);
            int status = sent.getResponseCode();
            String next = sent.getHeaderField("Location");
            if (status / 100 != 3 || next == null || status == HttpURLConnection.HTTP_NOT_MODIFIED) {
                if (status < 0) {
                    throw new IOException("the server does not speak HTTP");
                }
                return head(sent, status);
            }
            sent.disconnect();
            target = redirected(target, next);
        }
        throw new StoreException("more than " + REDIRECTS_MAX + " redirects", "name the address at which they end");
    }

    private static URI redirected(URI from, String location) throws StoreException {
        String advice = "name the address of the file itself";
        URI target;
        try {
            target = from.resolve(location);
        } catch (IllegalArgumentException malformed) {
            throw new StoreException("redirected to a malformed address", advice, malformed);
        }
        boolean isHttp = String.valueOf(target.getScheme()).matches("(?i)https?") && target.getHost() != null;
        boolean isWeaker = from.getScheme().equalsIgnoreCase("https") && !"https".equalsIgnoreCase(target.getScheme());
        if (!isHttp || isWeaker) {
            throw new StoreException("redirected to the scheme '" + target.getScheme() + "', which is refused", advice);
        }
        return target;
    }

    private HttpURLConnection send(HttpAddress address, URI target, Map<String, String> headers) throws IOException {
        if (!(target.toURL().openConnection() instanceof HttpURLConnection made)) {
            throw new StoreException("no client for the scheme '" + target.getScheme() + "'", "use http: or https:");
        }
        made.setInstanceFollowRedirects(false);
        made.setConnectTimeout((int) connectTimeout.toMillis());
        made.setReadTimeout((int) readTimeout.toMillis());
        made.setUseCaches(false);
        made.setRequestProperty("User-Agent", "hearth");
        made.setRequestProperty("Accept", "*/*");
        made.setRequestProperty("Accept-Encoding", "identity"); // ranges count the bytes of the file
        headers.forEach(made::setRequestProperty);
        if (address.isOwn(target)) {
            address.authorization().ifPresent(value -> made.setRequestProperty("Authorization", value));
        }
        connection = made;
        if (closed) {
            throw new IOException("the transfer was stopped");
        }
        return made;
    }

    private static AnswerHead head(HttpURLConnection sent, int status) {
        long length = sent.getHeaderFieldLong("Content-Length", -1);
        long changed = sent.getLastModified();
        String reason =
                sent.getHeaderField(0) == null ? "" : sent.getHeaderField(0).replaceFirst("\\S+ \\d+ ?", "");
        return new AnswerHead(
                status,
                reason,
                length < 0 ? OptionalLong.empty() : OptionalLong.of(length),
                "chunked".equalsIgnoreCase(sent.getHeaderField("Transfer-Encoding")),
                text(sent, "Content-Range"),
                text(sent, "ETag"),
                text(sent, "Last-Modified"),
                changed > 0 && sent.getDate() - changed >= SETTLED_MILLIS);
    }

    private static String text(HttpURLConnection sent, String header) {
        String value = sent.getHeaderField(header);
        return value == null ? "" : value;
    }

    /** Reads bytes of the body of the last response into {@code buffer}; -1 at its end. */
    int read(byte[] buffer) throws IOException {
        HttpURLConnection open = connection;
        if (open == null) {
            throw new IllegalStateException("body of a response: none (expected: a request before)");
        }
        return guarded(() -> open.getInputStream().read(buffer));
    }

    /** Ends the connection of the last request. Another request may follow. */
    void release() {
        HttpURLConnection open = connection;
        if (open != null) {
            open.disconnect();
        }
    }

    @Override
    public void close() {
        closed = true;
        release();
    }
}
