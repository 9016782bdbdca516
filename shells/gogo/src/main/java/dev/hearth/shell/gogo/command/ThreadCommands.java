package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.CommandOutput;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.monitor.RunningApplication;
import dev.hearth.spi.monitor.RunningApplications;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Command that lists the threads of this process or of an executor. Created for each call. */
@Component(
        service = ThreadCommands.class,
        property = {
            CommandProcessor.COMMAND_SCOPE + "=" + CommandCall.SCOPE,
            CommandCall.TOPIC + "=Process",
            CommandProcessor.COMMAND_FUNCTION + "=threads"
        })
public final class ThreadCommands {
    private static final String DUMP = "--dump";
    private static final int ANSWER_SECONDS_MAX = 15;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile @Nullable RunningApplications applications;

    /** A thread with its stack, innermost frame first. */
    private record Row(long id, String name, String state, boolean daemon, List<String> frames) {}

    @Descriptor("""
            Lists the threads of this process or of an executor.
            threads [APPLICATION EXECUTOR] [--dump] [--json]   --dump: with whole stacks
            Example: threads --dump | less""")
    public void threads(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "threads", arguments, 2, DUMP);
        List<Row> threads = call.word(0).isPresent() ? elsewhere(call) : here();
        if (call.has(DUMP)) {
            call.answer(CommandOutput.words("dump", dump(threads)));
            return;
        }
        Table.Builder table = Table.of("id", "name", "state", "daemon", "at");
        threads.forEach(thread -> table.row(
                OutputValue.of(thread.id),
                OutputValue.of(thread.name),
                OutputValue.of(thread.state),
                OutputValue.of(thread.daemon),
                OutputValue.of(thread.frames.isEmpty() ? "" : place(thread.frames.get(0)))));
        call.answer(table.build("no threads"));
    }

    private static List<Row> here() {
        return Thread.getAllStackTraces().entrySet().stream()
                .sorted(Comparator.comparingLong(each -> each.getKey().getId()))
                .map(each -> new Row(
                        each.getKey().getId(),
                        each.getKey().getName(),
                        each.getKey().getState().name(),
                        each.getKey().isDaemon(),
                        Arrays.stream(each.getValue())
                                .map(StackTraceElement::toString)
                                .toList()))
                .toList();
    }

    private List<Row> elsewhere(CommandCall call) {
        RunningApplication application = ApplicationLookup.named(call, applications, call.need(0, "application"));
        String executor = call.need(1, "executor");
        return answer(application.threads(executor).toCompletableFuture(), "threads of executor " + executor)
                .orElseThrow(
                        () -> call.misused("executor '" + executor + "' (expected: a running executor, or driver)"))
                .stream()
                .map(each -> new Row(each.id(), each.name(), each.state(), each.daemon(), each.stack()))
                .toList();
    }

    /**
     * Waits for the answer {@code asked}, at most {@link #ANSWER_SECONDS_MAX} seconds. Error messages begin with {@code
     * what}, the name of the request.
     */
    static <T> T answer(Future<T> asked, String what) {
        try {
            return asked.get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw ErrorCode.COMMAND_FAILED.failure(
                    what + ": the thread that waited for the answer was interrupted"
                            + " (expected: no interrupt before the answer)",
                    interrupted);
        } catch (ExecutionException failure) {
            throw ErrorCode.COMMAND_FAILED.failure(what + ": " + Failures.describe(failure), failure);
        } catch (TimeoutException late) {
            throw ErrorCode.COMMAND_FAILED.failure(
                    what + ": no answer (expected: within " + ANSWER_SECONDS_MAX + " s)", late);
        }
    }

    private static String dump(List<Row> threads) {
        StringBuilder text = new StringBuilder();
        for (Row thread : threads) {
            text.append(thread.id)
                    .append(' ')
                    .append(thread.name)
                    .append(' ')
                    .append(thread.state)
                    .append('\n');
            for (String frame : thread.frames) {
                text.append("    at ").append(frame).append('\n');
            }
        }
        return text.toString();
    }

    /** Returns the method that a stack frame is in, with its class but without the package. */
    private static String place(String frame) {
        int end = frame.indexOf('(');
        String call = frame.substring(frame.lastIndexOf('/', Math.max(0, end)) + 1, end < 0 ? frame.length() : end);
        int method = call.lastIndexOf('.');
        return call.substring(call.lastIndexOf('.', method - 1) + 1);
    }
}
