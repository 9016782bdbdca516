package dev.hearth.standalone.internal.daemon;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.ContentStore;
import dev.hearth.standalone.internal.contents.HeldContents;
import dev.hearth.standalone.internal.json.JsonBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes files of submissions over HTTP, in pieces: {@code HEAD} of a hash says how many bytes of the file are here, {@code
 * PATCH} with {@code Content-Range} adds the next ones. Guarded by its own lock, so that one piece is written at a time.
 * An upload without a piece for a while is closed; a later piece resumes it.
 */
public final class UploadHandler implements HttpHandler {
    /** Prefix of the paths, which end with a hash. */
    public static final String PREFIX = "/v1/contents";

    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Master");
    /** Maximum size of a piece, which is in memory as a whole. */
    private static final int PIECE_BYTES_MAX = 8 << 20;
    /** Maximum number of files that arrive at once. */
    private static final int UPLOADS_MAX = 16;

    private static final Duration IDLE_MAX = Duration.ofSeconds(60);
    private static final String OFFSET = "Upload-Offset";
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int NO_CONTENT = 204;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int CONFLICT = 409;
    private static final int TOO_LARGE = 413;
    private static final int UNPROCESSABLE = 422;
    private static final int UNAVAILABLE = 503;
    private static final int NO_STORAGE = 507;

    private final HeldContents contents;
    private final EventLoop disk;
    private final Map<ContentId, Arriving> arriving = new LinkedHashMap<>();
    private boolean sweeping; // whether the next search for idle uploads is scheduled

    /** Creates a handler that stores in {@code contents} and closes idle uploads on the loop {@code disk}. */
    public UploadHandler(HeldContents contents, EventLoop disk) {
        this.contents = contents;
        this.disk = disk;
    }

    /** Upload that is open, with the time of its last piece. */
    private record Arriving(ContentStore.Incoming incoming, long total, long usedNanos) {}

    @Override
    public OptionalInt bodyBytesMax() {
        return OptionalInt.of(PIECE_BYTES_MAX);
    }

    @Override
    public String description() {
        return "files of submissions: HEAD and PATCH of a SHA-256";
    }

    @Override
    public CompletionStage<HttpAnswer> handle(HttpRequest request) {
        return CompletableFuture.completedStage(answer(request));
    }

    private synchronized HttpAnswer answer(HttpRequest request) {
        try {
            ContentId content = new ContentId(request.rest());
            return switch (request.method()) {
                case "HEAD" -> look(content);
                case "PATCH" -> take(content, request);
                default ->
                    refusal(
                                    METHOD_NOT_ALLOWED,
                                    ErrorCode.BAD_ARGUMENT.failure("method " + request.method()
                                            + ": not possible here (expected: HEAD or PATCH)"))
                            .with("Allow", "HEAD, PATCH");
            };
        } catch (IllegalArgumentException malformed) {
            return refusal(BAD_REQUEST, ErrorCode.BAD_ARGUMENT.failure(String.valueOf(malformed.getMessage())));
        } catch (IOException failure) {
            return refusal(
                    NO_STORAGE,
                    ErrorCode.DISK_FAILED.failure("upload: cannot be stored, " + failure
                            + " (expected: space on the disk of the master); make room there"));
        } catch (HearthException refused) {
            return refusal(
                    switch (Failures.code(refused)) {
                        case STORE_FULL, DISK_FAILED -> NO_STORAGE;
                        case STREAM_DAMAGED -> UNPROCESSABLE;
                        case TOO_MANY_ASKS -> UNAVAILABLE;
                        default -> BAD_REQUEST;
                    },
                    refused);
        }
    }

    private HttpAnswer look(ContentId content) throws IOException {
        Optional<Path> whole = contents.find(content);
        if (whole.isPresent()) {
            return HttpAnswer.empty(OK).with(OFFSET, String.valueOf(Files.size(whole.get())));
        }
        Arriving open = arriving.get(content);
        long here = open == null ? contents.bytesLeft(content) : open.incoming.bytesHere();
        return HttpAnswer.empty(NOT_FOUND).with(OFFSET, String.valueOf(here));
    }

    private HttpAnswer take(ContentId content, HttpRequest request) throws IOException {
        String header = request.header("content-range").orElse("");
        Optional<ContentRange> parsed = ContentRange.parse(header);
        if (parsed.isEmpty() || parsed.get().bytes() != request.body().size()) {
            return refusal(
                    BAD_REQUEST,
                    ErrorCode.BAD_ARGUMENT.failure("Content-Range: '" + header + "' with a body of "
                            + request.body().size()
                            + " bytes (expected: bytes FIRST-LAST/SIZE with as many bytes as it says)"));
        }
        ContentRange range = parsed.get();
        if (range.bytes() > PIECE_BYTES_MAX) {
            return refusal(
                    TOO_LARGE,
                    ErrorCode.BAD_ARGUMENT.failure(
                            "piece of " + range.bytes() + " bytes (expected: at most " + PIECE_BYTES_MAX + ")"));
        }
        String name = request.parameter("name").orElse("file");
        ContentAddress address = new ContentAddress(content, range.total(), name);
        if (contents.find(content).isPresent()) {
            return whole(OK, address);
        }
        Arriving open = open(content, range.total());
        if (open.incoming.bytesHere() != range.first()) {
            return HttpAnswer.empty(CONFLICT).with(OFFSET, String.valueOf(open.incoming.bytesHere()));
        }
        try {
            open.incoming.write(ByteBuffer.wrap(request.body().toArray()));
            if (range.last() + 1 < range.total()) {
                arriving.put(
                        content,
                        new Arriving(open.incoming, open.total, disk.ticker().nanos()));
                return HttpAnswer.empty(NO_CONTENT).with(OFFSET, String.valueOf(open.incoming.bytesHere()));
            }
            open.incoming.finish();
            close(content);
            return whole(CREATED, address);
        } catch (IOException | RuntimeException failure) {
            close(content);
            throw failure;
        }
    }

    private Arriving open(ContentId content, long total) throws IOException {
        Arriving known = arriving.get(content);
        if (known != null && known.total == total) {
            return known;
        }
        close(content);
        closeIdle(disk.ticker().nanos());
        if (arriving.size() >= UPLOADS_MAX) {
            throw ErrorCode.TOO_MANY_ASKS.failure("upload of " + content + ": " + arriving.size()
                    + " others have not ended (expected: at most " + UPLOADS_MAX + " with this one); try again later");
        }
        Arriving opened = new Arriving(
                contents.receive(content, total), total, disk.ticker().nanos());
        arriving.put(content, opened);
        if (!sweeping) {
            sweeping = true;
            disk.schedule(IDLE_MAX, this::sweep);
        }
        return opened;
    }

    private synchronized void sweep() {
        closeIdle(disk.ticker().nanos());
        sweeping = !arriving.isEmpty();
        if (sweeping) {
            disk.schedule(IDLE_MAX, this::sweep);
        }
    }

    private void closeIdle(long now) {
        Iterator<Map.Entry<ContentId, Arriving>> all = arriving.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<ContentId, Arriving> next = all.next();
            if (now - next.getValue().usedNanos >= IDLE_MAX.toNanos()) {
                LOG.info(
                        "upload of {}: interrupted after {} bytes",
                        next.getKey(),
                        next.getValue().incoming.bytesHere());
                next.getValue().incoming.close();
                all.remove();
            }
        }
    }

    private void close(ContentId content) {
        Arriving open = arriving.remove(content);
        if (open != null) {
            open.incoming.close();
        }
    }

    private static HttpAnswer whole(int status, ContentAddress address) {
        String json = new JsonBuilder()
                .text("content", address.toString())
                .text("sha256", address.content().sha256())
                .number("bytes", address.bytes())
                .toString();
        return HttpAnswer.json(status, json).with(OFFSET, String.valueOf(address.bytes()));
    }

    private static HttpAnswer refusal(int status, HearthException failure) {
        return HttpAnswer.json(
                status,
                new JsonBuilder()
                        .text("code", failure.code())
                        .text("message", String.valueOf(failure.getMessage()))
                        .toString());
    }
}
