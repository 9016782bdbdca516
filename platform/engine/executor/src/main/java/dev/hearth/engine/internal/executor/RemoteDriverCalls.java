package dev.hearth.engine.internal.executor;

import dev.hearth.api.task.BarrierTaskContext;
import dev.hearth.engine.internal.protocol.DriverProtocol.AddressesAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.AddressesQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.BarrierWaitAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.BarrierWaitQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.CommitAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.CommitQuestion;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.RpcTimes;
import dev.hearth.spi.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Requests to a driver in another process. If the driver refuses a request, the returned {@code CompletionStage} fails
 * with the driver's failure. Any thread may call.
 */
final class RemoteDriverCalls implements DriverCalls {
    private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(2);
    /**
     * Timeout of a barrier request. The driver itself limits the wait at a barrier, so this timeout only prevents
     * leaked requests.
     */
    private static final Duration BARRIER_TIMEOUT = Duration.ofDays(365);

    private final EndpointRef driver;
    private final ExecutorId executor;
    private final Duration answerTimeout;

    /** Creates the requests of {@code executor} to {@code driver}, with the time to wait that {@code settings} say. */
    RemoteDriverCalls(EndpointRef driver, ExecutorId executor, Settings settings) {
        this.answerTimeout = RpcTimes.ask(settings, ANSWER_TIMEOUT);
        this.driver = driver;
        this.executor = executor;
    }

    @Override
    public CompletionStage<Boolean> mayCommit(int stage, int stageAttempt, int partition, int attempt) {
        return driver.ask(
                        new CommitQuestion(executor, stage, stageAttempt, partition, attempt),
                        CommitAnswer.class,
                        answerTimeout)
                .thenApply(CommitAnswer::may);
    }

    @Override
    public CompletionStage<List<String>> barrier(BarrierArrival meeting) {
        BarrierWaitQuestion question = new BarrierWaitQuestion(
                executor,
                meeting.stage(),
                meeting.stageAttempt(),
                meeting.partition(),
                meeting.partitions(),
                meeting.round(),
                meeting.gathers(),
                meeting.message());
        return driver.ask(question, BarrierWaitAnswer.class, BARRIER_TIMEOUT).thenApply(BarrierWaitAnswer::messages);
    }

    @Override
    public CompletionStage<List<BarrierTaskContext.Address>> addresses(int stage, int stageAttempt) {
        return driver.ask(new AddressesQuestion(executor, stage, stageAttempt), AddressesAnswer.class, answerTimeout)
                .thenApply(answer -> answer.addresses().stream()
                        .map(address -> new BarrierTaskContext.Address(address.host(), address.executor()))
                        .toList());
    }
}
