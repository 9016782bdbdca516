package dev.hearth.kubernetes.internal.seat;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;

/** Fetches files of an application over HTTP before it starts. Blocks; used by one thread. */
final class FileFetch {
    private static final int OK = 200;
    private static final int ATTEMPTS_MAX = 3;

    private final HttpClient client;
    private final Duration bound;

    /** {@code bound} is the time until the first byte of one file. */
    FileFetch(Duration bound) {
        this.bound = bound;
        this.client = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL) // never from https: to http:
                .connectTimeout(bound)
                .build();
    }

    /**
     * Fetches one file. Fails with {@code PATH_MISSING} if the server does not serve it, and with {@code FILE_DAMAGED} if
     * its content has another hash.
     */
    void fetch(SeatInstructions.Fetch file) throws IOException, InterruptedException {
        Path target = Path.of(file.path());
        Files.createDirectories(target.getParent());
        Path part = target.resolveSibling(target.getFileName() + ".part");
        for (int attempt = 1; ; attempt++) {
            try {
                download(file, part);
                break;
            } catch (IOException failure) {
                if (attempt == ATTEMPTS_MAX) {
                    throw ErrorCode.PATH_MISSING.failure(
                            "'" + file.address() + "': cannot be fetched, " + failure + " (expected: a server that"
                                    + " answers); check that pods can connect to it",
                            failure);
                }
            }
        }
        String found = ContentId.of(part).sha256();
        if (!file.sha256().isEmpty() && !file.sha256().equals(found)) {
            throw ErrorCode.FILE_DAMAGED.failure("'" + file.address() + "': hash " + found + " (expected: "
                    + file.sha256() + ", as the submission says)");
        }
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    }

    private void download(SeatInstructions.Fetch file, Path part) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(file.address()))
                .timeout(bound)
                .GET()
                .build();
        HttpResponse<InputStream> response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            if (response.statusCode() >= 500) {
                throw new IOException("HTTP status " + response.statusCode());
            }
            if (response.statusCode() != OK) {
                throw ErrorCode.PATH_MISSING.failure("'" + file.address() + "': HTTP status " + response.statusCode()
                        + " (expected: 200, and the file)");
            }
            long copied = Files.copy(body, part, StandardCopyOption.REPLACE_EXISTING);
            long expected =
                    response.headers().firstValueAsLong("Content-Length").orElse(copied);
            if (copied != expected) {
                throw new IOException(copied + " of " + expected + " bytes");
            }
        }
    }
}
