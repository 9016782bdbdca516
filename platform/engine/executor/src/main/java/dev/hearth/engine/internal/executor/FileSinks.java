package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.filecodec.FileCodec;
import dev.hearth.engine.internal.io.ObjectOutput;
import dev.hearth.engine.internal.io.OutputTarget;
import dev.hearth.engine.internal.io.TaskOutputFile;
import dev.hearth.engine.internal.io.TextOutput;
import dev.hearth.engine.internal.plan.FileOutput;
import dev.hearth.spi.error.ErrorCode;
import java.util.Iterator;
import java.util.function.Consumer;

/** Writes the elements of one task to a separate file, which becomes part of the output only by a commit. Stateless. */
final class FileSinks {
    private FileSinks() {}

    static void text(FileOutput output, TaskAttempt attempt, Iterator<Object> elements) {
        write(output, attempt, part -> {
            TextOutput text = new TextOutput(part);
            elements.forEachRemaining(element -> {
                attempt.countWritten();
                text.write(element);
            });
            text.flush();
        });
    }

    static void objects(FileOutput output, TaskAttempt attempt, Iterator<Object> elements) {
        write(output, attempt, part -> {
            ObjectOutput objects =
                    new ObjectOutput(part, attempt.services.data().records());
            elements.forEachRemaining(element -> {
                attempt.countWritten();
                objects.write(element);
            });
            objects.finish();
        });
    }

    private static void write(FileOutput output, TaskAttempt attempt, Consumer<TaskOutputFile> content) {
        OutputTarget target = new OutputTarget(output.directory(), output.job(), FileCodec.named(output.codec()));
        try (TaskOutputFile part = new TaskOutputFile(
                target,
                attempt.stageAttempt(),
                attempt.partition(),
                attempt.attempt(),
                attempt.services.data().stores())) {
            content.accept(part);
            if (!part.commit(attempt::mayCommit)) {
                throw ErrorCode.TASK_FAILED.failure("output " + output.directory() + ": another attempt at partition "
                        + attempt.partition() + " was permitted to commit it (expected: one attempt); the file of"
                        + " this attempt is removed");
            }
            attempt.countOutput(part.stored());
        }
    }
}
