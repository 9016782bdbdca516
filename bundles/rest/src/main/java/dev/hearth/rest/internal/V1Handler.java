package dev.hearth.rest.internal;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ClusterClient;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionGateway;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCategory;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.time.Ticker;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests in the protocol of Spark's masters, through the gateway of this process. Any thread may call.
 */
final class V1Handler implements HttpHandler {
    private static final Logger LOG = LoggerFactory.getLogger(V1Handler.class);

    /** Header with the id of a request, which a client that got no answer repeats. */
    private static final String REQUEST_ID = "Idempotency-Key";

    /** Parameter of a question about a driver whose answer has more fields than the protocol. */
    private static final String DETAILS = "details";

    /** Header of a refusal, with the code of the error. */
    private static final String ERROR = "Hearth-Error";

    private static final Pattern REQUEST_ID_FORM = Pattern.compile("[!-~]{1,200}");

    /** Time for an answer of the cluster: clients of Spark wait for 10 seconds. */
    private static final long ANSWER_MILLIS = 8_000;

    private static final int FORBIDDEN = 403;
    private static final int TOO_LARGE = 413;
    private static final int INTERNAL = 500;
    private static final int UNAVAILABLE = 503;
    private static final String RETRY_SECONDS = "1";

    private final SubmissionGateway gateway;
    private final RestSettings settings;
    private final String version;
    private final Map<String, String> environment;
    private final Ticker ticker;

    V1Handler(
            SubmissionGateway gateway,
            RestSettings settings,
            String version,
            Map<String, String> environment,
            Ticker ticker) {
        this.gateway = gateway;
        this.settings = settings;
        this.version = version;
        this.environment = environment;
        this.ticker = ticker;
    }

    @Override
    public CompletionStage<HttpAnswer> handle(HttpRequest request) {
        try {
            V1Route route = V1Route.of(request.method(), request.path());
            checkToken(route, request);
            return answer(route, request).handle(this::completed);
        } catch (V1Refusal refused) {
            return CompletableFuture.completedStage(error(refused.status(), refused.text()));
        } catch (HearthException failure) {
            return CompletableFuture.completedStage(failed(failure));
        }
    }

    @Override
    public boolean isOpen(String path) {
        return settings.filter().isPresent() || V1Route.isReady(path);
    }

    @Override
    public Optional<HttpAnswer> refusal(int status, String message) {
        return Optional.of(error(status, message));
    }

    @Override
    public String description() {
        return "submissions of applications, in the protocol of Spark's masters: create, status, kill";
    }

    private void checkToken(V1Route route, HttpRequest request) throws V1Refusal {
        Optional<String> why =
                route.action() == V1Route.Action.READY ? Optional.empty() : settings.refusal(request, ticker.wall());
        if (why.isPresent()) {
            throw new V1Refusal(FORBIDDEN, why.get());
        }
    }

    private CompletionStage<HttpAnswer> answer(V1Route route, HttpRequest request) throws V1Refusal {
        return switch (route.action()) {
            case CREATE -> create(request);
            case KILL -> kill(route.id(), asked(request));
            case KILL_ALL -> killAll(asked(request));
            case STATUS ->
                status(route.id(), asked(request), request.parameter(DETAILS).isPresent());
            case CLEAR ->
                bounded(gateway.clear(asked(request)))
                        .thenApply(cleared -> of(V1Texts.CLEAR_RESPONSE)
                                .text("message", "")
                                .success(true)
                                .answer());
            case READY -> ready();
        };
    }

    /** Cluster of a question, which the parameter {@code master} names in a process that is not itself a master. */
    private MasterUrl asked(HttpRequest request) {
        return asked(gateway, request);
    }

    static MasterUrl asked(SubmissionGateway gateway, HttpRequest request) {
        return request.parameter("master")
                .filter(given -> gateway.own().isEmpty())
                .map(MasterUrl::parse)
                .orElseGet(gateway::master);
    }

    private CompletionStage<HttpAnswer> create(HttpRequest request) throws V1Refusal {
        if (request.body().size() > settings.bodyBytesMax()) {
            throw new V1Refusal(
                    TOO_LARGE,
                    "body of the request: " + request.body().size() + " bytes (expected: at most "
                            + settings.bodyBytesMax() + ", as hearth.master.rest.maxRequestBodySize says)");
        }
        String id = requestId(request);
        CreateRequest parsed = CreateParser.parse(request.body().toArray());
        String state = gateway.state();
        if (!state.equals(ClusterClient.ALIVE)) {
            return completed(of(V1Texts.CREATE_RESPONSE)
                    .success(false)
                    .text("message", V1Texts.notAlive(state, "accept driver submissions")));
        }
        String host = request.client().host();
        CreateWords words =
                CreateWords.of(parsed, new CreateWords.Context(settings, environment, given -> master(given, host)));
        if (!words.ignored().isEmpty()) {
            LOG.info("submission of {}: properties without effect: {}", parsed, words.ignored());
        }
        return bounded(gateway.submit(words.arguments(), words.settings(), words.environment(), id))
                .thenApply(submission -> of(V1Texts.CREATE_RESPONSE)
                        .text("message", V1Texts.submitted(submission.value()))
                        .text("submissionId", submission.value())
                        .success(true)
                        .texts("unknownFields", parsed.unknownFields())
                        .answer());
    }

    private static String requestId(HttpRequest request) throws V1Refusal {
        Optional<String> id = request.header(REQUEST_ID);
        if (id.isPresent() && !REQUEST_ID_FORM.matcher(id.get()).matches()) {
            throw V1Refusal.malformed(
                    "header " + REQUEST_ID + ": not an id (expected: 1 to 200 visible characters of ASCII)");
        }
        return id.orElse("");
    }

    /**
     * Returns the cluster of a submission that names {@code given}; empty for that of the settings. A master only takes
     * submissions for itself, by whatever name. Elsewhere, clients that know one address only name this process,
     * {@code host}, as the master.
     */
    private Optional<String> master(Optional<String> given, String host) {
        Optional<MasterUrl> own = gateway.own();
        boolean isHere = given.map(MasterUrl::parse)
                .filter(url -> url.scheme().equals("hearth"))
                .filter(url -> own.isPresent() || url.rest().equalsIgnoreCase(host))
                .isPresent();
        if (isHere || given.isEmpty()) {
            return Optional.of(gateway.master().text());
        }
        if (own.isPresent()) {
            throw ErrorCode.BAD_ARGUMENT.failure("spark.master: '" + given.get() + "' (expected: " + own.get()
                    + ", the master that got the request); submit to that cluster itself");
        }
        return given;
    }

    private CompletionStage<HttpAnswer> kill(String id, MasterUrl master) {
        V1Answer answer = of(V1Texts.KILL_RESPONSE).text("submissionId", id);
        if (!gateway.state().equals(ClusterClient.ALIVE)) {
            return completed(answer.success(false).text("message", V1Texts.notAlive(gateway.state(), "kill drivers")));
        }
        return ask(id, pattern -> gateway.kill(pattern, master)).thenApply(found -> {
            boolean killed = found.stream().anyMatch(before -> !before.state().isFinal());
            return answer.success(killed)
                    .text("message", killed ? V1Texts.killed(id) : V1Texts.notThere(id))
                    .answer();
        });
    }

    private CompletionStage<HttpAnswer> killAll(MasterUrl master) {
        V1Answer answer = of(V1Texts.KILL_ALL_RESPONSE);
        if (!gateway.state().equals(ClusterClient.ALIVE)) {
            return completed(answer.success(false).text("message", V1Texts.notAlive(gateway.state(), "kill drivers")));
        }
        return bounded(gateway.kill(new SubmissionPattern("*"), master))
                .thenApply(found ->
                        answer.success(true).text("message", V1Texts.KILLED_ALL).answer());
    }

    private CompletionStage<HttpAnswer> status(String id, MasterUrl master, boolean details) {
        if (!gateway.state().equals(ClusterClient.ALIVE)) {
            // no submission id: clients that read one without a state take the driver for lost
            return CompletableFuture.completedStage(
                    error(UNAVAILABLE, V1Texts.notAlive(gateway.state(), "request driver status")));
        }
        return ask(id, pattern -> gateway.status(pattern, master)).thenApply(found -> {
            V1Answer answer =
                    of(V1Texts.STATUS_RESPONSE).text("submissionId", id).success(!found.isEmpty());
            found.forEach(status -> describe(status, answer));
            if (details) {
                found.forEach(status -> describeFurther(status, answer));
            }
            return answer.answer();
        });
    }

    private static void describe(SubmissionStatus status, V1Answer answer) {
        SubmissionState state = status.state();
        answer.text("driverState", state.name());
        if (!status.worker().isEmpty()) {
            answer.text("workerId", status.worker()).text("workerHostPort", status.workerAddress());
        }
        boolean failed = state == SubmissionState.FAILED || state == SubmissionState.ERROR;
        if (failed && !status.message().isEmpty()) {
            answer.text("message", V1Texts.fromCluster(status.message()));
        }
    }

    /** Adds what bin/submit shows of a driver, and what the protocol has no fields for. */
    private static void describeFurther(SubmissionStatus status, V1Answer answer) {
        status.exitStatus().ifPresent(exit -> answer.text("exitStatus", String.valueOf(exit)));
        answer.text("attempt", String.valueOf(status.attempt()))
                .text("placement", status.placement())
                .text("message", status.message())
                .text("output", status.output())
                .text("errors", status.errors());
    }

    /** Asks about one submission; an id that no cluster could give is one that this cluster does not know. */
    private CompletionStage<List<SubmissionStatus>> ask(
            String id, Function<SubmissionPattern, CompletionStage<List<SubmissionStatus>>> question) {
        SubmissionId submission;
        try {
            submission = new SubmissionId(id);
        } catch (IllegalArgumentException malformed) {
            return CompletableFuture.completedStage(List.of());
        }
        return bounded(question.apply(new SubmissionPattern(submission.value())));
    }

    private CompletionStage<HttpAnswer> ready() {
        return gateway.state().equals(ClusterClient.STANDBY)
                ? CompletableFuture.completedStage(error(UNAVAILABLE, V1Texts.NOT_READY))
                : completed(of(V1Texts.READY_RESPONSE).text("message", "").success(true));
    }

    private static <T> CompletionStage<T> bounded(CompletionStage<T> answer) {
        return answer.toCompletableFuture().copy().orTimeout(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
    }

    private HttpAnswer completed(HttpAnswer answer, @Nullable Throwable failure) {
        return failure == null ? answer : failed(failure);
    }

    private HttpAnswer failed(Throwable failure) {
        if (Failures.unwrap(failure) instanceof TimeoutException) {
            return error(
                            UNAVAILABLE,
                            "cluster: no answer within " + ANSWER_MILLIS / 1_000
                                    + " s (expected: one); a submission may have been accepted, so repeat it with the same "
                                    + REQUEST_ID)
                    .with("Retry-After", RETRY_SECONDS);
        }
        ErrorCode code = Failures.code(failure);
        return failed(code, failure).with(ERROR, code.name());
    }

    private HttpAnswer failed(ErrorCode code, Throwable failure) {
        String message = Failures.describe(failure);
        if (code == ErrorCode.SUBMISSION_REFUSED) {
            return error(UNAVAILABLE, message).with("Retry-After", RETRY_SECONDS);
        }
        if (code.category() == ErrorCategory.USER) {
            return error(V1Refusal.BAD_REQUEST, V1Texts.malformed(message));
        }
        if (code.category() == ErrorCategory.EXTERNAL) {
            return error(UNAVAILABLE, message).with("Retry-After", RETRY_SECONDS);
        }
        LOG.error("submission by HTTP: {}", message, failure);
        return error(INTERNAL, "Internal server error: " + message);
    }

    private V1Answer of(String action) {
        return V1Answer.of(action, version);
    }

    private HttpAnswer error(int status, String message) {
        return V1Answer.error(status, message, version).answer();
    }

    private static CompletionStage<HttpAnswer> completed(V1Answer answer) {
        return CompletableFuture.completedStage(answer.answer());
    }
}
