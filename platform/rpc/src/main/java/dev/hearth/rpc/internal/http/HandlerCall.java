package dev.hearth.rpc.internal.http;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call of an HTTP handler, until its response is ready to send. It runs on the {@link HandlerPool}. A handler may
 * return a stage that completes later, on any thread; the response is then rendered on the pool too. Delivers exactly
 * one response.
 */
final class HandlerCall implements HandlerPool.Work {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerCall.class);
    private static final int ANSWER_BYTES_MIN = 1024;

    private final HttpExchange exchange;
    private final Mount mount;
    private final HttpRequest request;
    private final HttpServices services;
    private final ResponseMemory.Share memory;
    private final BiConsumer<Duration, Runnable> later;
    private final Consumer<RenderedResponse> ready;
    private volatile boolean begun;
    private volatile boolean granted;

    HandlerCall(
            HttpExchange exchange,
            Mount mount,
            HttpRequest request,
            HttpServices services,
            ResponseMemory.Share memory,
            BiConsumer<Duration, Runnable> later,
            Consumer<RenderedResponse> ready) {
        this.exchange = exchange;
        this.mount = mount;
        this.request = request;
        this.services = services;
        this.memory = memory;
        this.later = later;
        this.ready = ready;
    }

    @Override
    public void run() {
        if (exchange.isOver()) {
            return;
        }
        if (granted) {
            call();
            return;
        }
        long bytes = services.sizes().next(mount) + ANSWER_BYTES_MIN;
        switch (memory.request(bytes, this::resubmit)) {
            case GRANTED -> call();
            case REFUSED -> refused(fullRefusal());
            case WAITS -> later.accept(services.responses().waitMax(), this::stopWaiting);
        }
    }

    private void stopWaiting() {
        if (memory.giveUp()) {
            refused(fullRefusal());
        }
    }

    /** Submits this call to the handler pool again, because the memory for its response is now reserved. Any thread. */
    private void resubmit() {
        granted = true;
        try {
            services.pool().submit(mount, this);
        } catch (RequestRefused refused) {
            refused(refused);
        }
    }

    private void call() {
        begun = true;
        CompletionStage<HttpAnswer> answer;
        try {
            answer = Objects.requireNonNull(mount.handler().handle(request), "a handler's stage");
        } catch (Exception | Error failure) {
            // catch linkage errors too: a handler's bundle may be uninstalled, but the client still needs a response
            ready.accept(failed(failure));
            return;
        }
        Thread caller = Thread.currentThread();
        boolean[] calling = {true}; // whether this call is still running; accessed only by the thread that runs it
        answer.whenComplete((answered, failure) -> {
            if (Thread.currentThread() == caller && calling[0]) {
                finish(answered, failure);
            } else {
                services.pool().submitRendering(mount, () -> finish(answered, failure));
            }
        });
        calling[0] = false;
    }

    @Override
    public boolean isOver() {
        return exchange.isOver();
    }

    @Override
    public void refused(RequestRefused why) {
        ready.accept(services.pages().refusal(why, request.header("accept")));
    }

    /**
     * Creates the refusal to send when the time limit of the call has passed. Its status depends on whether the handler
     * was called or the request still waited. Thread-safe.
     */
    RequestRefused timeoutRefusal() {
        long seconds = HandlerPool.CALL_MAX.toSeconds();
        return begun
                ? HttpError.HANDLER_TIMED_OUT.refused("handler of " + mount.prefix() + ": no answer within " + seconds
                        + " s (expected: an answer in that time)")
                : HttpError.BUSY
                        .refused("handler of " + mount.prefix() + ": all its threads have been busy for " + seconds
                                + " s (expected: a free thread); try again soon")
                        .with("Retry-After", "1");
    }

    private void finish(@Nullable HttpAnswer answer, @Nullable Throwable failure) {
        if (exchange.isOver()) {
            LOG.debug("request #{}: the handler answered too late", exchange.number());
            drop(answer);
            return;
        }
        RenderedResponse rendered;
        try {
            rendered = failure != null
                    ? failed(failure)
                    : services.renderer()
                            .render(request, Objects.requireNonNull(answer, "a handler's answer"), this::callSource);
        } catch (RequestRefused refused) {
            drop(answer);
            rendered = services.pages().refusal(refused, request.header("accept"));
        } catch (IOException | RuntimeException | Error mistake) {
            drop(answer);
            rendered = failed(mistake);
        }
        ready.accept(remembered(rendered));
    }

    /** Runs {@code call}, a call of the source of a streamed body, on the handler pool. */
    private void callSource(Runnable call) {
        services.pool().submitNotification(mount, call);
    }

    /** Closes the source of {@code answer}, if it has one, because the answer will not be sent. */
    private void drop(@Nullable HttpAnswer answer) {
        if (answer != null && answer.content() instanceof HttpAnswer.Stream stream) {
            StreamPieces.close(stream.source(), this::callSource);
        }
    }

    /**
     * Reserves memory for {@code rendered}, the response, and returns the response. If there is no room, returns a
     * refusal for GET and HEAD, which the client can repeat. For other methods, reserves the memory beyond the limit.
     */
    private RenderedResponse remembered(RenderedResponse rendered) {
        services.sizes().answered(mount, rendered.heldBytes());
        if (memory.reserve(rendered.heldBytes())) {
            return rendered;
        }
        if (request.method().equals("GET") || request.method().equals("HEAD")) {
            rendered.discard();
            memory.release();
            return services.pages().refusal(fullRefusal(), request.header("accept"));
        }
        memory.require(rendered.heldBytes());
        return rendered;
    }

    private static RequestRefused fullRefusal() {
        return HttpError.BUSY
                .refused("responses: too many bytes wait for their clients (expected: at most"
                        + " hearth.rest.maxResponseMemory); try again soon")
                .with("Retry-After", "1");
    }

    /**
     * Creates the response for a failure. Only messages of Hearth's own exceptions are sent; for any other exception,
     * the text refers to the log.
     */
    private RenderedResponse failed(Throwable failure) {
        Throwable inner = Failures.unwrap(failure);
        Optional<String> accept = request.header("accept");
        LOG.warn(
                "request #{} {} {}: its handler {} failed",
                exchange.number(),
                request.method(),
                request.path(),
                mount.owner(),
                inner);
        return inner instanceof HearthException known
                ? services.pages()
                        .failure(HttpError.INTERNAL.status(), known.code(), String.valueOf(known.getMessage()), accept)
                : services.pages()
                        .failure(
                                HttpError.INTERNAL.status(),
                                ErrorCode.INTERNAL.name(),
                                "request " + exchange.number()
                                        + ": its handler failed (expected: an answer); search the log of"
                                        + " the process that serves it for 'request #" + exchange.number() + "'",
                                accept);
    }
}
