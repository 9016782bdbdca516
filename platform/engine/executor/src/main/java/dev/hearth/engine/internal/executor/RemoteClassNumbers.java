package dev.hearth.engine.internal.executor;

import dev.hearth.api.launch.TaskRuntime;
import dev.hearth.engine.internal.protocol.DriverProtocol.ClassAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.ClassNameAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.ClassNameQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.ClassQuestion;
import dev.hearth.engine.internal.serializer.ClassIds;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.EndpointRef;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * Class numbers, which stand for class names in serialised records, as a driver in another process assigns them. Each
 * process requests the number of a class once. A killed task stops waiting for the answer. Any thread may call, except
 * the event loops on which answers arrive. Stateless.
 */
final class RemoteClassNumbers implements ClassIds {
    private static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(2);

    private final EndpointRef driver;
    private final ExecutorId executor;

    RemoteClassNumbers(EndpointRef driver, ExecutorId executor) {
        this.driver = driver;
        this.executor = executor;
    }

    @Override
    public int number(String entry) {
        return await(
                        driver.ask(new ClassQuestion(executor, entry), ClassAnswer.class, ANSWER_TIMEOUT),
                        "record: the number of class " + entry)
                .number();
    }

    @Override
    public Optional<String> entry(int number) {
        return await(
                        driver.ask(new ClassNameQuestion(executor, number), ClassNameAnswer.class, ANSWER_TIMEOUT),
                        "record: class number " + number)
                .entry();
    }

    private static <T> T await(CompletionStage<T> answer, String subject) {
        if (TaskRuntime.current() instanceof TaskAttempt attempt) {
            return attempt.await(answer, subject);
        }
        try {
            return answer.toCompletableFuture().join();
        } catch (CompletionException failure) {
            throw Failures.asHearth(failure, ErrorCode.INTERNAL, subject);
        }
    }
}
