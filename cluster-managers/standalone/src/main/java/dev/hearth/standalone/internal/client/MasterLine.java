package dev.hearth.standalone.internal.client;

import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcTimes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a master for many questions. Connects at the first question, and again after the connection was
 * lost or a question has failed. Owned by the event loop of its services.
 */
final class MasterLine {
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

    private final List<RpcAddress> masters;
    private final RpcEnv rpc;
    private final EventLoop loop;
    private final Duration answerTimeout;
    private final Duration searchTimeout;
    private @Nullable Line line;

    /** Connection, with the number of questions that have no answer yet. */
    private static final class Line {
        private final CompletionStage<Peer> peer;
        private int questions;
        private boolean replaced; // closed after the last answer

        Line(CompletionStage<Peer> peer) {
            this.peer = peer;
        }

        boolean isUnusable() {
            return peer.toCompletableFuture().isCompletedExceptionally();
        }

        void closeIfUnused() {
            if (replaced && questions == 0) {
                peer.thenAccept(Peer::close);
            }
        }
    }

    MasterLine(MasterUrl master, SubmissionServices services) {
        this.masters = MasterAddresses.parse(master);
        this.rpc = services.rpc();
        this.loop = services.loop();
        this.searchTimeout = MasterSearch.timeout(services.settings());
        this.answerTimeout = RpcTimes.ask(services.settings(), ANSWER_TIMEOUT);
    }

    /**
     * Asks the master. If a kept connection is lost before the answer, asks once more over another one, so that {@code
     * question} must be one that may be repeated. Any thread may call.
     */
    <T extends Record> CompletionStage<T> ask(Record question, Class<T> answer) {
        CompletableFuture<T> answered = new CompletableFuture<>();
        loop.execute(() -> new SubmissionAttempts<>(loop, masters, searchTimeout, () -> askOnce(question, answer))
                .run()
                .whenComplete((found, failure) -> {
                    if (failure == null) {
                        answered.complete(found);
                    } else {
                        answered.completeExceptionally(failure);
                    }
                }));
        return answered;
    }

    private CompletionStage<Peer> connect() {
        return MasterSearch.once(rpc, loop, masters).thenApply(MasterSearch.Found::peer);
    }

    private <T extends Record> CompletionStage<T> askOnce(Record question, Class<T> answer) {
        CompletableFuture<T> answered = new CompletableFuture<>();
        ask(question, answer, answered, line != null);
        return answered;
    }

    private <T extends Record> void ask(
            Record question, Class<T> answer, CompletableFuture<T> answered, boolean repeats) {
        Line used = line == null ? new Line(connect()) : line;
        line = used;
        used.questions++;
        used.peer
                .thenCompose(peer -> MasterConnection.endpointOf(peer).ask(question, answer, answerTimeout))
                .whenComplete((found, failure) -> loop.inOrder(() -> {
                    used.questions--;
                    if (failure == null) {
                        used.closeIfUnused();
                        answered.complete(found);
                        return;
                    }
                    ErrorCode code = Failures.code(failure);
                    if (line == used && (used.isUnusable() || isOfConnection(code))) {
                        line = null;
                        used.replaced = true;
                    }
                    used.closeIfUnused();
                    if (repeats && code == ErrorCode.PEER_LOST) {
                        ask(question, answer, answered, false);
                    } else {
                        answered.completeExceptionally(failure);
                    }
                }));
    }

    /** Closes the connection, if there is one. Any thread may call. */
    void close() {
        loop.execute(() -> {
            if (line != null) {
                line.peer.thenAccept(Peer::close);
                line = null;
            }
        });
    }

    /** Whether a failure says more about the connection than about the question. */
    private static boolean isOfConnection(ErrorCode code) {
        return switch (code.category()) {
            case USER, RESOURCES -> false;
            case EXTERNAL, INTERNAL -> true;
        };
    }
}
