package dev.hearth.kubernetes.internal.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Connection of HTTP/1.1, which carries one request after the other. Used by one thread at a time; any thread may {@link
 * #abort} it. Closed after an error, and when the server demands it.
 */
final class RequestConnection {
    private static final int BUFFER_BYTES = 16 * 1024;
    private static final int HEAD_BYTES_MAX = 256 * 1024;
    private static final int BODY_BYTES_MAX = 512 * 1024 * 1024;
    private static final int HEXADECIMAL = 16;
    private static final int CONTINUE_LAST = 199;
    private static final int NO_CONTENT = 204;

    private final Socket raw; // below TLS
    private InputStream in = InputStream.nullInputStream(); // until it is open
    private OutputStream out = OutputStream.nullOutputStream();
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;
    private int headBytes; // of the present response
    private boolean answered; // a byte of the present response has come
    private boolean lasting = true;
    private long idleSinceNanos;

    RequestConnection(Socket raw) {
        this.raw = raw;
    }

    /** Begins to use {@code socket}, the connected socket itself or TLS above it. */
    void open(Socket socket) throws IOException {
        in = socket.getInputStream();
        out = socket.getOutputStream();
    }

    /** Ends the connection at once; its present user fails. */
    void abort() {
        try {
            raw.close();
        } catch (IOException failure) {
            // the socket is closed nevertheless
        }
    }

    /** Whether the present response has begun. */
    boolean hasAnswered() {
        return answered;
    }

    /** Whether another request may follow on this connection. */
    boolean isLasting() {
        return lasting;
    }

    void idle(long now) {
        idleSinceNanos = now;
    }

    /** Whether the connection has not been idle since {@code limitNanos}, and the server has sent nothing meanwhile, such as its end. */
    boolean isFresh(long limitNanos) {
        try {
            return idleSinceNanos - limitNanos > 0
                    && position == limit
                    && raw.getInputStream().available() == 0;
        } catch (IOException ended) {
            return false;
        }
    }

    /** Opens a tunnel to {@code authority} through the proxy at the other end. */
    void tunnel(String authority) throws IOException {
        ApiResponse response = exchange(
                ("CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n").getBytes(ISO_8859_1));
        if (!response.isSuccessful()) {
            throw new IOException("proxy: " + response + " (expected: a tunnel to " + authority + ")");
        }
    }

    /** Sends a request and reads the response. */
    ApiResponse exchange(byte[] request) throws IOException {
        answered = false;
        lasting = false; // until the response has been read
        out.write(request);
        out.flush();
        boolean isTunnel = request[0] == 'C';
        while (true) {
            headBytes = 0;
            String status = line();
            String[] parts = status.split(" ", 3);
            if (parts.length < 2 || !parts[0].startsWith("HTTP/1.")) {
                throw new IOException("response: '" + status + "' (expected: one of HTTP/1.1)");
            }
            int code = number(parts[1], 10);
            Map<String, String> headers = headers();
            if (code > CONTINUE_LAST) {
                boolean bare = code == NO_CONTENT || (isTunnel && code / 100 == 2);
                byte[] body = bare ? new byte[0] : body(headers);
                lasting = (bare || isDelimited(headers))
                        && parts[0].equals("HTTP/1.1")
                        && !headers.getOrDefault("connection", "").equalsIgnoreCase("close");
                return new ApiResponse(code, headers, body);
            }
        }
    }

    private Map<String, String> headers() throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon < 0) {
                throw new IOException("header: '" + line + "' (expected: a name and a value)");
            }
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return headers;
    }

    private static boolean isChunked(Map<String, String> headers) {
        return headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked");
    }

    private static boolean isDelimited(Map<String, String> headers) {
        return isChunked(headers) || headers.containsKey("content-length");
    }

    private byte[] body(Map<String, String> headers) throws IOException {
        if (isChunked(headers)) {
            return chunks();
        }
        String length = headers.get("content-length");
        if (length != null) {
            byte[] body = new byte[bounded(number(length, 10))];
            read(body, 0, body.length);
            return body;
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream(); // to the end of the connection
        while (position < limit || fill()) {
            body.write(buffer, position, limit - position);
            bounded(body.size());
            position = limit;
        }
        return body.toByteArray();
    }

    private byte[] chunks() throws IOException {
        byte[] body = new byte[BUFFER_BYTES];
        int length = 0;
        while (true) {
            headBytes = 0;
            String size = line();
            int extension = size.indexOf(';');
            int chunk = number((extension < 0 ? size : size.substring(0, extension)).strip(), HEXADECIMAL);
            if (chunk == 0) {
                headers(); // after the last chunk
                return Arrays.copyOf(body, length);
            }
            if (bounded((long) length + chunk) > body.length) {
                body = Arrays.copyOf(body, Math.max(length + chunk, 2 * body.length));
            }
            read(body, length, chunk);
            length += chunk;
            line();
        }
    }

    private static int number(String text, int radix) throws IOException {
        try {
            return Integer.parseUnsignedInt(text, radix);
        } catch (NumberFormatException malformed) {
            throw new IOException("response: '" + text + "' (expected: a number)", malformed);
        }
    }

    private static int bounded(long bytes) throws IOException {
        if (bytes < 0 || bytes > BODY_BYTES_MAX) {
            throw new IOException("response: " + bytes + " bytes (expected: at most " + BODY_BYTES_MAX + ")");
        }
        return (int) bytes;
    }

    private void read(byte[] into, int offset, int length) throws IOException {
        int done = Math.min(length, limit - position);
        System.arraycopy(buffer, position, into, offset, done);
        position += done;
        while (done < length) {
            int more = in.read(into, offset + done, length - done);
            if (more < 0) {
                throw new EOFException("response: cut after " + done + " bytes (expected: " + length + ")");
            }
            done += more;
        }
    }

    /** The next line, without its end. */
    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            if (position == limit && !fill()) {
                throw new EOFException("response: the connection has ended (expected: an answer)");
            }
            int begin = position;
            while (position < limit && buffer[position] != '\n') {
                position++;
            }
            headBytes += position - begin + 1;
            if (headBytes > HEAD_BYTES_MAX) {
                throw new IOException(
                        "response: a head of " + headBytes + " bytes (expected: at most " + HEAD_BYTES_MAX + ")");
            }
            line.append(new String(buffer, begin, position - begin, ISO_8859_1));
            if (position < limit) {
                position++;
                int length = line.length();
                return length > 0 && line.charAt(length - 1) == '\r' ? line.substring(0, length - 1) : line.toString();
            }
        }
    }

    private boolean fill() throws IOException {
        position = 0;
        limit = Math.max(0, in.read(buffer));
        answered |= limit > 0;
        return limit > 0;
    }
}
