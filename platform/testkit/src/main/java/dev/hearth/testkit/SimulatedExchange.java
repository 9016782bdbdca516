package dev.hearth.testkit;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.net.RpcAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Request for bulk data. The listening process executes the request and answers it as a whole; the more bytes are
 * transferred, the later the answer arrives. The request fails if the processes are disconnected before the answer.
 * Owned by the {@link SimulatedStreams} that started it.
 */
final class SimulatedExchange<T> {
    private static final long MEBIBYTE = 1024 * 1024;
    private static final Duration PER_MEBIBYTE = Duration.ofMillis(10);

    private final SimulatedScope from;
    private final RpcAddress address;
    private final Work<T> work;
    private final CompletableFuture<T> done = new CompletableFuture<>();

    SimulatedExchange(SimulatedScope from, RpcAddress address, Work<T> work) {
        this.from = from;
        this.address = address;
        this.work = work;
    }

    CompletionStage<T> begin() {
        SimulatedConnectAttempt[] attempt =
                new SimulatedConnectAttempt[1]; // the listening process needs a reference to complete it
        attempt[0] = from.reach(address, there -> accepted(there, attempt[0]), done::completeExceptionally);
        return done;
    }

    /** Fails this request for bulk data and discards its result, because the scope that sent it is closed. */
    void end() {
        done.completeExceptionally(lost("this side closed the connection"));
    }

    private void accepted(SimulatedScope there, SimulatedConnectAttempt attempt) {
        if (!attempt.succeed()) {
            return;
        }
        try {
            Result<T> result = work.in(there.served());
            answer(there, result.bytes(), () -> done.complete(result.value()));
        } catch (HearthException refusal) {
            answer(there, 0, () -> done.completeExceptionally(refusal));
        } catch (IOException | RuntimeException failure) {
            ErrorCode code = failure instanceof IOException ? ErrorCode.DISK_FAILED : ErrorCode.INTERNAL;
            HearthException reported = code.failure(
                    address + ": the process there failed: " + Failures.describe(failure) + " (expected: the"
                            + " requested content)",
                    failure);
            answer(there, 0, () -> done.completeExceptionally(reported));
        }
    }

    private void answer(SimulatedScope there, long bytes, Runnable arrival) {
        SimulatedNetwork network = from.env().network();
        Duration moving = PER_MEBIBYTE.multipliedBy(bytes).dividedBy(MEBIBYTE);
        from.process()
                .later(
                        network.delay(there.process(), from.process()).plus(moving),
                        () -> arrive(there, arrival, false));
    }

    private void arrive(SimulatedScope there, Runnable arrival, boolean waited) {
        SimulatedNetwork network = from.env().network();
        SimulatedProcess here = from.process();
        Duration silence = from.env().settings().times().silence();
        if (network.isCut(here, there.process())) {
            done.completeExceptionally(lost("the connection broke"));
        } else if (network.isParted(here, there.process()) || there.process().vanished()) {
            if (waited) {
                done.completeExceptionally(lost("not a byte for " + silence.toMillis() + " ms"));
            } else {
                here.schedule(silence, () -> arrive(there, arrival, true));
            }
        } else if (!there.isOpen()) {
            done.completeExceptionally(lost("the other side closed the connection"));
        } else {
            arrival.run();
        }
    }

    private HearthException lost(String what) {
        return ErrorCode.PEER_LOST.failure(address + ": " + what + " (expected: a connection that lasts)");
    }

    /** Work that the listening process does to answer a request for bulk data, such as reading a file. */
    interface Work<T> {
        Result<T> in(SimulatedStreams there) throws IOException;
    }

    /**
     * Result of a request, and the number of bytes that the request transfers, which determines how late the result
     * arrives.
     */
    record Result<T>(T value, long bytes) {}
}
