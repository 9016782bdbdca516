package dev.hearth.rest.internal;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.cluster.ContentPiece;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionGateway;
import dev.hearth.spi.cluster.UploadStatus;
import dev.hearth.spi.error.ErrorCategory;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.time.Ticker;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes files of submissions in pieces and passes each on to the cluster, without storing it: {@code HEAD} or {@code GET} of
 * a hash says how many bytes the cluster has, {@code PATCH} with {@code Content-Range} adds the next ones. Any thread may call.
 */
@Component(
        service = HttpHandler.class,
        property = {
            HttpHandler.PREFIX + "=" + ContentsHandler.PATH,
            HttpHandler.BODY_MAX + ":Integer=" + ContentsHandler.PIECE_BYTES_MAX
        })
public final class ContentsHandler implements HttpHandler {
    /** Prefix of the paths, which end with a hash. */
    static final String PATH = "/v1/contents";

    /** Maximum size of a piece, which is in memory as a whole. */
    static final int PIECE_BYTES_MAX = 8 << 20;

    /** Maximum number of pieces that are passed on at once. */
    static final int PIECES_MAX = 16;

    private static final Logger LOG = LoggerFactory.getLogger(ContentsHandler.class);
    private static final String OFFSET = "Upload-Offset";
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int NO_CONTENT = 204;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int CONFLICT = 409;
    private static final int TOO_LARGE = 413;
    private static final int UNPROCESSABLE = 422;
    private static final int INTERNAL = 500;
    private static final int NOT_IMPLEMENTED = 501;
    private static final int UNAVAILABLE = 503;
    private static final int NO_STORAGE = 507;

    private final SubmissionGateway gateway;
    private final RestSettings settings;
    private final Ticker ticker;
    private final AtomicInteger pieces = new AtomicInteger();

    @Activate
    public ContentsHandler(@Reference SubmissionGateway gateway, @Reference KernelInfo kernel) {
        this(gateway, RestSettings.from(kernel.settings()), Ticker.system());
    }

    ContentsHandler(SubmissionGateway gateway, RestSettings settings, Ticker ticker) {
        this.gateway = gateway;
        this.settings = settings;
        this.ticker = ticker;
    }

    @Override
    public boolean isOpen(String path) {
        return settings.filter().isPresent(); // then a signed token is required
    }

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
        try {
            Optional<String> forbidden = settings.refusal(request, ticker.wall());
            if (forbidden.isPresent()) {
                return completed(refusal(FORBIDDEN, ErrorCode.NOT_AUTHENTICATED, forbidden.get()));
            }
            ContentId content = new ContentId(request.rest());
            MasterUrl master = V1Handler.asked(gateway, request);
            return switch (request.method()) {
                case "HEAD", "GET" ->
                    answered(gateway.held(content, master)
                            .thenApply(status -> status.stage() == UploadStatus.Stage.HELD
                                    ? HttpAnswer.empty(OK).with(OFFSET, String.valueOf(status.bytes()))
                                    : HttpAnswer.empty(NOT_FOUND).with(OFFSET, String.valueOf(status.bytes()))));
                case "PATCH" -> take(piece(content, request), name(content, request), master);
                default ->
                    completed(refusal(
                                    METHOD_NOT_ALLOWED,
                                    ErrorCode.BAD_ARGUMENT,
                                    "method " + request.method() + ": not possible here (expected: HEAD, GET or PATCH)")
                            .with("Allow", "HEAD, GET, PATCH"));
            };
        } catch (IllegalArgumentException malformed) {
            return completed(refusal(BAD_REQUEST, ErrorCode.BAD_ARGUMENT, String.valueOf(malformed.getMessage())));
        } catch (HearthException refused) {
            return completed(failed(refused));
        }
    }

    private static ContentPiece piece(ContentId content, HttpRequest request) {
        String header = request.header("content-range").orElse("");
        Optional<ContentRange> parsed = ContentRange.parse(header);
        if (parsed.isEmpty() || parsed.get().bytes() != request.body().size()) {
            throw ErrorCode.BAD_ARGUMENT.failure("Content-Range: '" + header + "' with a body of "
                    + request.body().size() + " bytes (expected: bytes FIRST-LAST/SIZE with as many bytes as it says)");
        }
        return new ContentPiece(content, parsed.get().total(), parsed.get().first(), request.body());
    }

    private static String name(ContentId content, HttpRequest request) {
        String name = request.parameter("name").orElse("file");
        return new ContentAddress(content, 0, name).name(); // fails with a name that no file has
    }

    private CompletionStage<HttpAnswer> take(ContentPiece piece, String name, MasterUrl master) {
        if (piece.bytes().size() > PIECE_BYTES_MAX) {
            return completed(refusal(
                    TOO_LARGE,
                    ErrorCode.BAD_ARGUMENT,
                    "piece of " + piece.bytes() + " (expected: at most " + PIECE_BYTES_MAX + " bytes)"));
        }
        if (pieces.incrementAndGet() > PIECES_MAX) {
            pieces.decrementAndGet();
            return completed(failed(ErrorCode.TOO_MANY_ASKS.failure("upload of " + piece.content() + ": " + PIECES_MAX
                    + " pieces are on their way to clusters (expected: at most " + PIECES_MAX
                    + " with this one); try again soon")));
        }
        CompletionStage<UploadStatus> taken;
        try {
            taken = gateway.take(piece, master);
        } catch (RuntimeException | Error failure) {
            pieces.decrementAndGet();
            throw failure;
        }
        ContentAddress address = new ContentAddress(piece.content(), piece.total(), name);
        return answered(taken.whenComplete((status, failure) -> pieces.decrementAndGet())
                .thenApply(status -> answer(status, address)));
    }

    private static HttpAnswer answer(UploadStatus status, ContentAddress address) {
        String offset = String.valueOf(status.bytes());
        return switch (status.stage()) {
            case PARTIAL -> HttpAnswer.empty(NO_CONTENT).with(OFFSET, offset);
            case MISPLACED -> HttpAnswer.empty(CONFLICT).with(OFFSET, offset);
            case COMPLETED -> whole(CREATED, address);
            case HELD -> whole(OK, address);
        };
    }

    private static HttpAnswer whole(int status, ContentAddress address) {
        return V1Answer.ofFile(status)
                .text("content", address.toString())
                .text("sha256", address.content().sha256())
                .number("bytes", address.bytes())
                .answer()
                .with(OFFSET, String.valueOf(address.bytes()));
    }

    private static CompletionStage<HttpAnswer> answered(CompletionStage<HttpAnswer> answer) {
        return answer.handle((given, failure) -> failure == null ? given : failed(failure));
    }

    private static HttpAnswer failed(Throwable failure) {
        ErrorCode code = Failures.code(failure);
        int status = switch (code) {
            case STORE_FULL, DISK_FAILED -> NO_STORAGE;
            case STREAM_DAMAGED -> UNPROCESSABLE;
            case STREAM_MISSING, PROTOCOL_MISMATCH -> NOT_IMPLEMENTED;
            case TOO_MANY_ASKS, SUBMISSION_REFUSED -> UNAVAILABLE;
            default -> byCategory(code.category());
        };
        if (status == INTERNAL) {
            LOG.error("upload by HTTP", failure);
        }
        HttpAnswer answer = refusal(status, code, Failures.describe(failure));
        return status == UNAVAILABLE ? answer.with("Retry-After", "1") : answer;
    }

    private static int byCategory(ErrorCategory category) {
        return switch (category) {
            case USER -> BAD_REQUEST;
            case EXTERNAL, RESOURCES -> UNAVAILABLE;
            case INTERNAL -> INTERNAL;
        };
    }

    private static HttpAnswer refusal(int status, ErrorCode code, String message) {
        return V1Answer.ofFile(status)
                .text("code", code.name())
                .text("message", message)
                .answer();
    }

    private static CompletionStage<HttpAnswer> completed(HttpAnswer answer) {
        return CompletableFuture.completedStage(answer);
    }
}
