package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.executor.DriverCalls;
import dev.hearth.engine.internal.protocol.DriverProtocol.Address;
import dev.hearth.engine.internal.protocol.DriverProtocol.AddressesAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.AddressesQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.BarrierWaitAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.BarrierWaitQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.BroadcastQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.ClassAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.ClassNameAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.ClassNameQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.ClassQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.CommitAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.CommitQuestion;
import dev.hearth.engine.internal.serializer.ClassIdTable;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Answers what tasks in other processes ask, as those in this one are answered; has the numbers of their classes. Leave to publish, and
 * what a barrier's tasks tell one another, is for live executors alone: tasks of others run again elsewhere.
 */
final class RemoteTaskCalls {
    private final DriverCalls calls;
    private final SharedVariables shared;
    private final ServedFiles files;
    private @Nullable ClassIdTable classes; // made when an executor asks first; guarded by this

    RemoteTaskCalls(DriverCalls calls, SharedVariables shared, ServedFiles files) {
        this.calls = calls;
        this.shared = shared;
        this.files = files;
    }

    CompletionStage<Record> commit(CommitQuestion asked) {
        return calls.mayCommit(asked.stage(), asked.stageAttempt(), asked.partition(), asked.attempt())
                .thenApply(CommitAnswer::new);
    }

    CompletionStage<Record> meeting(BarrierWaitQuestion asked) {
        return calls.barrier(new DriverCalls.BarrierArrival(
                        asked.stage(),
                        asked.stageAttempt(),
                        asked.partition(),
                        asked.partitions(),
                        asked.round(),
                        asked.gathers(),
                        asked.message()))
                .thenApply(BarrierWaitAnswer::new);
    }

    CompletionStage<Record> addresses(AddressesQuestion asked) {
        return calls.addresses(asked.stage(), asked.stageAttempt())
                .thenApply(places -> new AddressesAnswer(places.stream()
                        .map(place -> new Address(place.host(), place.executor()))
                        .toList()));
    }

    /** The answer to an executor that was given up. */
    static CompletionStage<Record> noCommit() {
        return CompletableFuture.completedStage(new CommitAnswer(false));
    }

    /** As {@link #noCommit}, where there is no answer to give. */
    static CompletionStage<Record> givenUp(ExecutorId executor) {
        return CompletableFuture.failedStage(ErrorCode.BARRIER_FAILED.failure("executor " + executor
                + ": given up by its driver (expected: asked by a live one); its tasks run again elsewhere"));
    }

    CompletionStage<Record> broadcast(BroadcastQuestion asked) {
        Object value;
        try {
            value = shared.broadcast(asked.broadcast());
        } catch (RuntimeException destroyed) {
            return CompletableFuture.failedStage(destroyed);
        }
        return files.broadcasts()
                .offer(asked.broadcast(), value, asked.executor())
                .thenApply(answer -> answer);
    }

    ClassAnswer number(ClassQuestion asked) {
        return new ClassAnswer(classes().number(asked.entry()));
    }

    ClassNameAnswer name(ClassNameQuestion asked) {
        return new ClassNameAnswer(classes().entry(asked.number()));
    }

    private synchronized ClassIdTable classes() {
        ClassIdTable known = classes;
        if (known == null) {
            known = new ClassIdTable();
            classes = known;
        }
        return known;
    }
}
