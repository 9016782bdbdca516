package dev.hearth.standalone.internal.master;

import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.standalone.internal.protocol.DriverStatus.DriverState;
import dev.hearth.standalone.internal.protocol.MasterProtocol.LogRead;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ReadLog;
import dev.hearth.standalone.internal.protocol.WorkerProtocol;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.OutputRead;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.ReadOutput;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Passes requests for the output of drivers and executors to the workers that have the files. It stores nothing: the
 * client asks for one part after the other, so that no more than one part of each client is under way. Owned by the
 * master's event loop.
 */
final class LogRelay {
    /** Maximum time in which a worker reads one part. */
    private static final Duration WORKER_TIMEOUT = Duration.ofSeconds(20);

    private final Master master;
    private final LongFunction<Optional<Peer>> peers;

    /** {@code peers} returns the connection with an id. */
    LogRelay(Master master, LongFunction<Optional<Peer>> peers) {
        this.master = master;
        this.peers = peers;
    }

    /** Answers with the part of the first worker that has it. Fails with {@code LOG_UNKNOWN} if none has. */
    CompletionStage<LogRead> read(ReadLog message) {
        List<CompletionStage<OutputRead>> asked = master.logHolders(message.source(), message.holder()).stream()
                .flatMap(worker -> peers.apply(worker.peer()).stream())
                .map(peer -> peer.endpoint(WorkerProtocol.ENDPOINT, WorkerProtocol.PROTOCOL)
                        .ask(new ReadOutput(message.source(), message.range()), OutputRead.class, WORKER_TIMEOUT))
                .toList();
        return new FirstAnswer(message.source(), asked.size()).of(asked);
    }

    /**
     * Returns the workers that may have the output of a process: the one that had it {@code before} or that the master
     * knows, otherwise all {@code workers}. Fails if the process has not started.
     */
    static List<WorkerRecord> holders(
            LogSource source,
            String before,
            WorkerLedger workers,
            ApplicationLedger applications,
            SubmittedDrivers drivers) {
        Optional<WorkerRecord> known = workers.find(before);
        if (known.isEmpty() && source.application().isPresent()) {
            known = applications
                    .find(source.application().get())
                    .map(application -> application.executors().get(new ExecutorId(source.process())))
                    .map(Grant::worker);
        } else if (known.isEmpty()) {
            Optional<DriverRecord> driver = drivers.known(new SubmissionId(source.process()));
            if (driver.isPresent() && driver.get().state() == DriverState.SUBMITTED) {
                throw ErrorCode.LOG_UNKNOWN.failure("log of " + source + ": "
                        + driver.get().status().message() + " (expected: a driver that a worker has started)");
            }
            known = driver.flatMap(DriverRecord::worker)
                    .filter(worker ->
                            workers.find(worker.id()).filter(worker::equals).isPresent());
        }
        return known.map(List::of).orElseGet(() -> List.copyOf(workers.all()));
    }

    /** First part that one of several workers has. Guarded by its own lock, as answers arrive on any thread. */
    private static final class FirstAnswer {
        private final LogSource source;
        private final CompletableFuture<LogRead> first = new CompletableFuture<>();
        private int missing; // answers

        FirstAnswer(LogSource source, int workers) {
            this.source = source;
            this.missing = workers;
        }

        CompletionStage<LogRead> of(List<CompletionStage<OutputRead>> asked) {
            if (asked.isEmpty()) {
                first.completeExceptionally(unknown());
            }
            asked.forEach(answer -> answer.whenComplete(this::answered));
            return first;
        }

        private synchronized void answered(@Nullable OutputRead answer, @Nullable Throwable failure) {
            missing--;
            if (answer != null && answer.chunk().isPresent()) {
                first.complete(new LogRead(answer.chunk().get()));
            } else if (missing == 0 && failure != null) {
                first.completeExceptionally(failure);
            } else if (missing == 0) {
                first.completeExceptionally(unknown());
            }
        }

        private Throwable unknown() {
            return ErrorCode.LOG_UNKNOWN.failure(
                    "log of " + source + ": no worker of this cluster has its files (expected:"
                            + " a process that a worker has started, and whose work directory was not removed after"
                            + " hearth.worker.cleanup.appDataTtl)");
        }
    }
}
