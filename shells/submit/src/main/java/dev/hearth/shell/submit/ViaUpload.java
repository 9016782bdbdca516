package dev.hearth.shell.submit;

import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.error.PrintableText;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Sends one file to a master in pieces, each where the last one that arrived has ended. Uses {@code java.net.http}, as the
 * lighter client of Java knows no PATCH. Used once, by one thread.
 */
final class ViaUpload {
    private static final int PIECE_BYTES = 8 << 20;
    /** Attempts in a row without a new piece. */
    private static final int ATTEMPTS_MAX = 5;

    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int NO_CONTENT = 204;
    private static final int CONFLICT = 409;
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);

    private final ViaAddress address;
    private final ViaServer server;
    private final Path file;
    private final ContentAddress content;
    private final HttpClient client;

    ViaUpload(ViaAddress address, ViaServer server, Path file, ContentAddress content) {
        this.address = address;
        this.server = server;
        this.file = file;
        this.content = content;
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(ANSWER_TIMEOUT);
        if (address.access().encrypted()) {
            builder.sslContext(address.access().tls());
        }
        this.client = builder.build();
    }

    /** Sends the file from byte {@code offset} on. */
    void run(long offset) throws IOException, InterruptedException {
        if (content.bytes() == 0) {
            throw new IOException("an empty file cannot be sent in pieces");
        }
        byte[] piece = new byte[(int) Math.min(PIECE_BYTES, content.bytes())];
        int attempts = 0;
        long at = offset;
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            while (attempts < ATTEMPTS_MAX) {
                in.seek(at);
                int length = (int) Math.min(piece.length, content.bytes() - at);
                in.readFully(piece, 0, length);
                OptionalLong next;
                try {
                    HttpResponse<String> answer = send(piece, at, length);
                    if (answer.statusCode() == OK || answer.statusCode() == CREATED) {
                        return;
                    }
                    next = next(answer);
                } catch (LostPiece lost) {
                    ViaReply held = server.look(content.content());
                    if (held.status() == OK) {
                        return;
                    }
                    next = held.offset();
                }
                attempts = next.isPresent() && next.getAsLong() > at ? 0 : attempts + 1;
                at = next.orElse(at);
            }
        }
        throw new IOException(ATTEMPTS_MAX + " attempts without a new byte at " + address);
    }

    /** A piece whose answer was lost. */
    private static final class LostPiece extends Exception {
        private static final long serialVersionUID = 1L;

        LostPiece(IOException cause) {
            super(cause);
        }
    }

    private HttpResponse<String> send(byte[] piece, long at, int length) throws LostPiece, InterruptedException {
        String name = URLEncoder.encode(content.name(), StandardCharsets.UTF_8);
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        address.path("/v1/contents/" + content.content() + "?name=" + name))
                .timeout(ANSWER_TIMEOUT)
                .header("Content-Range", "bytes " + at + "-" + (at + length - 1) + "/" + content.bytes())
                .method("PATCH", HttpRequest.BodyPublishers.ofByteArray(piece, 0, length));
        address.access().authorization(address.host()).ifPresent(value -> request.header("Authorization", value));
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException lost) {
            throw new LostPiece(lost);
        }
    }

    /** Where the next piece begins. Fails if the master takes no more. */
    private static OptionalLong next(HttpResponse<String> answer) throws IOException {
        OptionalLong offset = answer.headers().firstValueAsLong("Upload-Offset");
        boolean goesOn = answer.statusCode() == NO_CONTENT || answer.statusCode() == CONFLICT;
        if (!goesOn || offset.isEmpty()) {
            throw new IOException(
                    "the master answers " + answer.statusCode() + " " + PrintableText.line(answer.body()));
        }
        return offset;
    }
}
