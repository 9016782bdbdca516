package dev.hearth.standalone.internal.client;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Attempts of one request to several masters, which may be repeated: while none leads, or if the one that leads is lost
 * before its answer. Submissions, questions and registrations of applications are such requests. A request to a single
 * master is made once. Owned by the loop; used once.
 */
final class SubmissionAttempts<T> {
    private final EventLoop loop;
    private final List<RpcAddress> masters;
    private final Supplier<CompletionStage<T>> request;
    private final long deadline;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private int attempts;

    /** Makes {@code request} again until {@code timeout} has passed. */
    SubmissionAttempts(
            EventLoop loop, List<RpcAddress> masters, Duration timeout, Supplier<CompletionStage<T>> request) {
        this.loop = loop;
        this.masters = masters;
        this.request = request;
        this.deadline = loop.ticker().nanos() + timeout.toNanos();
    }

    CompletionStage<T> run() {
        loop.inOrder(this::attempt);
        return answer;
    }

    private void attempt() {
        request.get()
                .whenComplete((found, failure) -> loop.inOrder(() -> {
                    Duration pause = MasterSearch.pause(loop, ++attempts);
                    if (failure == null) {
                        answer.complete(found);
                    } else if (MasterSearch.mayChange(failure)
                            && isOfMaster(failure)
                            && MasterSearch.mayRepeat(masters, deadline, pause, loop)) {
                        loop.schedule(pause, this::attempt);
                    } else {
                        answer.completeExceptionally(Failures.unwrap(failure));
                    }
                }));
    }

    /** Whether a failure says that a master does not lead, or is lost. */
    static boolean isOfMaster(Throwable failure) {
        ErrorCode code = Failures.code(failure);
        return code == ErrorCode.CLUSTER_UNREACHABLE
                || code == ErrorCode.PEER_UNREACHABLE
                || code == ErrorCode.PEER_LOST
                || code == ErrorCode.NO_ENDPOINT;
    }
}
