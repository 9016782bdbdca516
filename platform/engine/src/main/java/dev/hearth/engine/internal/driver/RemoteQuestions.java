package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.executor.DriverCalls;
import dev.hearth.engine.internal.protocol.DriverProtocol.Address;
import dev.hearth.engine.internal.protocol.DriverProtocol.AddressesAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.AddressesQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.BroadcastAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.BroadcastQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.CommitAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.CommitQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.MeetingAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.MeetingQuestion;
import dev.hearth.engine.internal.serial.UserObjects;
import dev.hearth.engine.internal.task.TaskValue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** Answers what tasks in other processes ask, as those in this one are answered. No state of its own. */
final class RemoteQuestions {
    private final DriverCalls calls;
    private final UserObjects objects;
    private final Executor writing; // of the application: writing a value runs its code

    RemoteQuestions(DriverCalls calls, UserObjects objects, Executor writing) {
        this.calls = calls;
        this.objects = objects;
        this.writing = writing;
    }

    CompletionStage<Record> commit(CommitQuestion asked) {
        return calls.mayCommit(asked.stage(), asked.stageAttempt(), asked.partition(), asked.attempt())
                .thenApply(CommitAnswer::new);
    }

    CompletionStage<Record> meeting(MeetingQuestion asked) {
        return calls.barrier(new DriverCalls.Meeting(
                        asked.stage(),
                        asked.stageAttempt(),
                        asked.partition(),
                        asked.partitions(),
                        asked.round(),
                        asked.gathers(),
                        asked.message()))
                .thenApply(MeetingAnswer::new);
    }

    CompletionStage<Record> addresses(AddressesQuestion asked) {
        return calls.addresses(asked.stage(), asked.stageAttempt())
                .thenApply(places -> new AddressesAnswer(places.stream()
                        .map(place -> new Address(place.host(), place.executor()))
                        .toList()));
    }

    CompletionStage<Record> broadcast(BroadcastQuestion asked) {
        return calls.broadcast(asked.broadcast())
                .thenApplyAsync(
                        value -> new BroadcastAnswer(
                                objects.write(((TaskValue.Shared) value).value(), "broadcast " + asked.broadcast())),
                        writing);
    }
}
