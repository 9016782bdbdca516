package dev.hearth.engine.internal.driver.serving;

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
 * Answers the calls of tasks in other processes: output commits, barriers, broadcast values, and the numbers by which
 * serialised data refers to classes. Commits and barriers are refused to lost executors, because their tasks run again
 * elsewhere.
 */
public final class RemoteTaskCalls {
    private final DriverCalls calls;
    private final SharedVariables shared;
    private final ServedFiles files;
    private @Nullable ClassIdTable classes; // created at the first request; guarded by this

    public RemoteTaskCalls(DriverCalls calls, SharedVariables shared, ServedFiles files) {
        this.calls = calls;
        this.shared = shared;
        this.files = files;
    }

    public CompletionStage<Record> commit(CommitQuestion question) {
        return calls.mayCommit(question.stage(), question.stageAttempt(), question.partition(), question.attempt())
                .thenApply(CommitAnswer::new);
    }

    public CompletionStage<Record> meeting(BarrierWaitQuestion question) {
        return calls.barrier(new DriverCalls.BarrierArrival(
                        question.stage(),
                        question.stageAttempt(),
                        question.partition(),
                        question.partitions(),
                        question.round(),
                        question.gathers(),
                        question.message()))
                .thenApply(BarrierWaitAnswer::new);
    }

    public CompletionStage<Record> addresses(AddressesQuestion question) {
        return calls.addresses(question.stage(), question.stageAttempt())
                .thenApply(places -> new AddressesAnswer(places.stream()
                        .map(place -> new Address(place.host(), place.executor()))
                        .toList()));
    }

    /** The answer to a task on a lost executor that asks to commit its output: the commit is denied. */
    public static CompletionStage<Record> noCommit() {
        return CompletableFuture.completedStage(new CommitAnswer(false));
    }

    /** Fails a barrier call of a task on a lost executor. */
    public static CompletionStage<Record> givenUp(ExecutorId executor) {
        return CompletableFuture.failedStage(ErrorCode.BARRIER_FAILED.failure("executor " + executor
                + ": its driver has given it up as lost (expected: a live executor); its tasks run again elsewhere"));
    }

    public CompletionStage<Record> broadcast(BroadcastQuestion question) {
        Object value;
        try {
            value = shared.broadcast(question.broadcast());
        } catch (RuntimeException destroyed) {
            return CompletableFuture.failedStage(destroyed);
        }
        return files.broadcasts()
                .offer(question.broadcast(), value, question.executor())
                .thenApply(answer -> answer);
    }

    public ClassAnswer number(ClassQuestion question) {
        return new ClassAnswer(classes().number(question.entry()));
    }

    public ClassNameAnswer name(ClassNameQuestion question) {
        return new ClassNameAnswer(classes().entry(question.number()));
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
