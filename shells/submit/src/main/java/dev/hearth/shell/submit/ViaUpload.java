package dev.hearth.shell.submit;

import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.error.ErrorCode;
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
 * Sends one file to a cluster in pieces, each where the last one that arrived has ended. A piece whose answer is lost, or
 * that the server cannot take now, is sent again after a look at what has arrived, so that a server may be started again
 * in between. Uses {@code java.net.http}, as the lighter client of Java knows no PATCH. Used once, by one thread.
 */
final class ViaUpload {
    private static final int PIECE_BYTES = 8 << 20;

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

    /** Sends the file from byte {@code offset} on. Fails with {@code CLUSTER_LOST} if no byte arrives for a while. */
    void run(long offset) throws IOException, InterruptedException {
        byte[] piece = new byte[(int) Math.min(PIECE_BYTES, content.bytes())];
        long at = offset;
        long farthest = offset;
        long deadline = server.deadline();
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            while (true) {
                in.seek(at);
                int length = (int) Math.min(piece.length, content.bytes() - at);
                in.readFully(piece, 0, length);
                ViaReply reply = send(piece, at, length);
                if (reply.status() == OK || reply.status() == CREATED) {
                    return;
                }
                OptionalLong next = reply.isBusy() ? arrived(at) : next(reply);
                if (next.isEmpty()) {
                    return;
                }
                if (next.getAsLong() > farthest) {
                    farthest = next.getAsLong();
                    deadline = server.deadline();
                } else if (!server.pauseUntil(deadline)) {
                    throw lost(reply);
                }
                at = next.getAsLong();
            }
        }
    }

    private RuntimeException lost(ViaReply reply) {
        return ErrorCode.CLUSTER_LOST.failure(
                "file " + file + ": no byte of it has arrived through " + address + " for "
                        + ViaServer.RETRY_MAX.toSeconds() + " s, the last answer is "
                        + (reply.text().isEmpty() ? "none" : PrintableText.line(reply.message()))
                        + " (expected: progress); repeat the command, which goes on where the file stands");
    }

    /** Where the next piece begins, if the server can say it, otherwise at {@code at}; empty if the whole file has arrived. */
    private OptionalLong arrived(long at) {
        try {
            ViaReply held = server.look(content.content());
            return held.status() == OK
                    ? OptionalLong.empty()
                    : OptionalLong.of(held.offset().orElse(at));
        } catch (IOException none) {
            return OptionalLong.of(at); // a wrong place is corrected by the next answer
        }
    }

    /** Sends a piece. An answer that is lost becomes one of a busy server. */
    private ViaReply send(byte[] piece, long at, int length) throws InterruptedException {
        String name = URLEncoder.encode(content.name(), StandardCharsets.UTF_8);
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        address.path(server.contents(content.content()) + "&name=" + name))
                .timeout(ANSWER_TIMEOUT)
                .header("Content-Range", range(at, length))
                .method("PATCH", HttpRequest.BodyPublishers.ofByteArray(piece, 0, length));
        address.access().authorization(address.host()).ifPresent(value -> request.header("Authorization", value));
        try {
            HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new ViaReply(
                    answer.statusCode(), "", answer.headers().firstValueAsLong("Upload-Offset"), answer.body());
        } catch (IOException lost) {
            return ViaReply.lost(lost);
        }
    }

    private String range(long at, int length) {
        return length == 0 ? "bytes */0" : "bytes " + at + "-" + (at + length - 1) + "/" + content.bytes();
    }

    /** Where the next piece begins. Fails if the cluster takes no more. */
    private OptionalLong next(ViaReply reply) {
        boolean goesOn = reply.status() == NO_CONTENT || reply.status() == CONFLICT;
        if (!goesOn || reply.offset().isEmpty()) {
            throw reply.refusal("file " + file, address.toString());
        }
        return reply.offset();
    }
}
